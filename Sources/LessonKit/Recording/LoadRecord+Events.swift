// SPDX-License-Identifier: Apache-2.0
import Glibc
import Timeline

extension LoadRecord {
  /// Notes what a callback was given, all but the bytes themselves.
  mutating func take(_ payload: TimelineEvent.Payload, at instant: Double) {
    switch payload {
    case .bytes:
      pieces += 1
    case .response(let status, let expectedLength, let type):
      guard responses.count < 16 else { return }
      responses.append(Response(status: status, expectedLength: expectedLength, type: type))
    case .progress(let piece, let total, let expected):
      takeProgress(piece, total, expected)
    case .failure(let domain, let code):
      ends += 1
      endInstant = instant
      failure = Outcome.Failure(domain: domain, code: code, name: ErrorName.of(domain: domain, code: code))
    case .success:
      ends += 1
      endInstant = instant
    case .file:
      files += 1
    case .none:
      break
    }
  }

  /// Notes the first time a transfer reaches a stage.
  mutating func reach(_ stage: TimelineEvent.TransferStage, at instant: Double) {
    guard !stages.contains(where: { $0.name == stage.rawValue }) else { return }
    stages.append(Stage(name: stage.rawValue, instant: instant))
  }

  private mutating func takeProgress(_ piece: Int64, _ total: Int64, _ expected: Int64) {
    var progress = progress ?? Progress()
    progress.count += 1
    progress.sumOfPieces += piece
    if total < progress.lastTotal {
      if progress.falls == 0 { (progress.fellFrom, progress.fellTo) = (progress.lastTotal, total) }
      progress.falls += 1
    }
    if total != progress.sumOfPieces { progress.wasInconsistent = true }
    progress.lastTotal = total
    progress.expected = expected
    self.progress = progress
  }
}
