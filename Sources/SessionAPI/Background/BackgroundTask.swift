// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import Glibc
import Locking
import URLLoading

/// The facts known here of a task that the agent carries out.
final class RemoteSide: Sendable {
  struct State {
    var counts = TransferCounts()
    /// The URL of the last request, after redirects.
    var url: URL?
    /// The file of an upload's response, which goes when it was delivered.
    var file: URL?
    /// The part of an earlier download to continue, until it was submitted.
    var part: ResumeRecord?
  }

  /// The key by which the agent knows the task.
  let key: UUID
  /// True if an earlier process submitted the task.
  let isRestored: Bool
  let state: Locked<State>

  init(_ specification: TaskSpecification) {
    let restored = specification.restored
    isRestored = restored != nil
    key = restored?.key ?? UUID()
    state = Locked(State(counts: restored?.counts ?? TransferCounts(), part: specification.resuming))
  }

  var counts: TransferCounts { state.withLock { $0.counts } }

  func takePart() -> ResumeRecord? { state.withLock { $0.part.take() } }

  /// The request at the URL of the last one.
  func redirected(_ request: URLRequest) -> URLRequest {
    guard let url = state.withLock({ $0.url }) else { return request }
    var request = request
    request.url = url
    return request
  }
}

/// A task that the agent carries out.
extension URLSessionTask {
  func carryOut(
    _ action: TaskLife.Action, by agent: AgentConnection, _ remote: RemoteSide, on load: Load, _ refusal: URLError?
  ) {
    switch action {
    case .start:
      // A task that the agent has needs nothing of this process any more, such as the file of an upload.
      let refusal = remote.isRestored ? nil : objection(refusal)
      if let refusal { refuse(load, refusal) } else { agent.start(self, remote) }
    case .pause: agent.setSuspended(remote.key, true)
    case .resume: agent.setSuspended(remote.key, false)
    case .cancel where wantsResumeData: agent.stop(self, remote.key)
    case .cancel:
      agent.cancel(remote.key)
      load.cancel()
    }
  }

  /// The delegate's last method about the task has returned.
  func completionWasDelivered() {
    guard let remote else { return }
    if let file = remote.state.withLock({ $0.file }) { unsafe unlink(file.path) }
    session.parts.agent?.delivered(remote.key, of: session)
  }

  // MARK: What the agent reports

  func take(_ counts: TransferCounts) {
    remote?.state.withLock { $0.counts = counts }
    updateProgress()
    (client as? DownloadClient)?.reportWritten(counts.received, expected: counts.expected)
    client?.reportSent(counts.sent, expected: counts.expectedToSend)
  }

  func take(_ record: ResponseRecord) {
    let response = LoadedResponse(record)
    shared.withLock { $0.response = response ?? $0.response }
    remote?.state.withLock { $0.url = record.url }
    updateProgress()
  }

  /// The end. `folder` has the file, unless an earlier process took it; `part` is what a failure left.
  func take(_ outcome: TransferOutcome, _ counts: TransferCounts, in folder: URL, _ part: PartialDownload?) {
    guard let load, !shared.withLock({ $0.life.hasEnded }) else { return }
    if let response = outcome.response { take(response) }
    var file = outcome.file.flatMap { DiskFile.place(of: $0, in: folder) }
    var fault = outcome.file.flatMap { file == nil ? unusable($0) : nil }
    if let path = file?.path, !DiskFile.isFile(path) {
      // One that is not there was given to an earlier process.
      fault = unsafe faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0 ? unusable(path) : nil
      file = nil
    }
    let isUpload = self is URLSessionUploadTask
    remote?.state.withLock { ($0.counts, $0.url, $0.file) = (counts, outcome.url ?? $0.url, isUpload ? file : nil) }
    if counts.sent > 0 { client?.reportSent(counts.sent, expected: counts.expectedToSend) }
    let error = outcome.failure.map { URLError($0, url: originalRequest?.url) } ?? fault
    let body = isUpload ? file.flatMap(DiskFile.mapped) : nil
    var end = LoadEnd(error: error, body: body, file: isUpload ? nil : file)
    (end.partial, end.redirectCount) = (part, outcome.redirects ?? 0)
    end.exchanges = (outcome.exchanges ?? []).compactMap { LoadExchange(data: $0) }
    client?.conclude(end, of: load)
  }

  private func unusable(_ name: String) -> URLError {
    LoadError.error(
      .cannotOpenFile, url: originalRequest?.url,
      description: "The transfer agent's journal names '\(name)' as the file, which is none of the session's.")
  }

  /// The agent has stopped the cancelled task and left this part of the file, if any.
  func stopped(_ part: PartialDownload?) {
    guard let load else { return }
    var end = LoadEnd(
      error: LoadError.error(.cancelled, url: currentRequest?.url, description: "cancelled"))
    end.partial = part
    client?.conclude(end, of: load)
  }

  /// The agent cannot be reached, or has refused.
  func fail(_ error: URLError) {
    guard let load else { return }
    refuse(load, error)
  }
}

extension LoadedResponse {
  convenience init?(_ record: ResponseRecord) {
    self.init(
      url: record.url, status: record.status, version: "HTTP/1.1", fields: record.fields, isDecoded: record.isDecoded)
  }
}

extension URLError {
  /// Makes the error of a failure from the agent's record; `url` where it names none.
  init(_ record: FailureRecord, url: URL?) {
    let beneath = record.systemError.flatMap(POSIXErrorCode.init).map { POSIXError($0) }
    let error = LoadError.error(
      Code(rawValue: record.code) ?? .unknown, url: record.url ?? url, underlying: beneath,
      description: record.description)
    let reason = record.cancelledReason.map { [NSURLErrorBackgroundTaskCancelledReasonKey: $0] } ?? [:]
    self.init(error.code, userInfo: error.userInfo.merging(reason) { $1 })
  }
}
