// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules
import Transport

/// A body that is a sequence of responses: each part is announced as a response, and waits for its answer before its
/// data comes. So a client has delivered the part before when it is given the next one, and a server that sends nothing
/// but boundaries is slowed down by the delegate.
final class MultipartBody {
  /// The step that follows from bytes that were taken.
  enum Step {
    /// All were; `isFull` when the client's buffer is.
    case taken(isFull: Bool)
    /// A part begins, and waits for its answer.
    case part(PartResponse)
    /// The body cannot be read; the sentence says why.
    case fault(String)
  }

  /// The ending of a whole message.
  enum Ending {
    case complete
    /// It ended in the middle of a part.
    case cut
    /// It had no part, and said so, or no byte, and is a response by itself.
    case plain(LoadedResponse)
    /// It had no part: the bytes follow as they came, once the response has its answer.
    case raw(PartResponse)
  }

  private let whole: ResponseHead
  private let envelope: LoadedResponse
  private var parser: PartParser
  /// All bytes before the first part, which are the body where no part comes; nil once that is decided.
  private var raw: [UInt8]? = []
  private static let rawLimit = 256 << 10
  /// True if the body is passed on as it came.
  private var isRaw = false
  /// The bytes behind the head of a part that waits for its answer, from `restStart` on: many small parts that came
  /// at once are not copied again for each of them.
  private var rest: [UInt8] = []
  private var restStart = 0

  /// The parts of a response that is of their type; nil for any other.
  init?(_ head: ResponseHead, _ response: LoadedResponse) {
    guard let boundary = MixedReplace.boundary(of: head.value(of: "Content-Type")) else { return nil }
    (whole, envelope) = (head, response)
    parser = PartParser(boundary: boundary)
  }

  /// Takes the next bytes of the body. `append` gives a part's data to the client's buffer, and returns true when that is
  /// full.
  func take(_ bytes: UnsafeRawBufferPointer, _ append: (UnsafeRawBufferPointer) -> Bool) -> Step {
    if isRaw { return .taken(isFull: unsafe append(bytes)) }
    if !parser.isOver { unsafe raw? += bytes }
    var input = unsafe bytes[...]
    let step = unsafe sort(&input, append)
    switch step {
    case .taken where raw?.count ?? 0 > Self.rawLimit && !parser.isOver, .fault where raw != nil:
      if let response = becomeRaw() { return .part(response) }
    default: break
    }
    unsafe rest += input
    return step
  }

  /// Keeps bytes that come while a part waits for its answer, since they come in the middle of a body.
  func keep(_ bytes: UnsafeRawBufferPointer) {
    unsafe rest += bytes
  }

  /// The part that waited has its answer: takes the bytes that came meanwhile.
  func takeRest(_ append: (UnsafeRawBufferPointer) -> Bool) -> Step {
    let rest = rest
    if isRaw {
      self.rest = []
      return .taken(isFull: unsafe rest.withUnsafeBytes { unsafe append($0) })
    }
    let (step, start) = unsafe rest.withUnsafeBytes { bytes in
      var input = unsafe bytes[restStart...]
      return unsafe (sort(&input, append), input.startIndex)
    }
    if start == rest.count { (self.rest, restStart) = ([], 0) } else { restStart = start }
    return step
  }

  /// The whole message has arrived.
  func finish(_ append: (UnsafeRawBufferPointer) -> Bool) -> Ending {
    if isRaw { return .complete }
    if let raw { return (raw.isEmpty || parser.isOver ? nil : becomeRaw()).map { .raw($0) } ?? .plain(envelope) }
    let isCut = parser.isInPart
    _ = unsafe parser.finish().withUnsafeBytes { unsafe append($0) }
    if isCut { return .cut }
    return .complete
  }

  /// Neither reading finds a part: the body is that of a response of its own, from its first byte on.
  private func becomeRaw() -> PartResponse? {
    guard let response = envelope.url.flatMap({ PartResponse(whole, url: $0) }) else { return nil }
    (isRaw, rest, raw) = (true, raw ?? [], nil)
    return response
  }

  /// Goes through `input` until it is used up, or a part waits for its answer.
  private func sort(
    _ input: inout Slice<UnsafeRawBufferPointer>, _ append: (UnsafeRawBufferPointer) -> Bool
  ) -> Step {
    var isFull = false
    while let event = unsafe parser.next(&input) {
      switch event {
      case .data(let data): isFull = unsafe append(data)
      case .held(let held): isFull = unsafe held.withUnsafeBytes { unsafe append($0) }
      case .fault(let sentence): return .fault(sentence)
      case .part(let fields):
        guard let response = response(for: fields) else { return .fault("A part's head cannot be represented.") }
        raw = nil
        return .part(response)
      }
    }
    return .taken(isFull: isFull)
  }

  private func response(for fields: [HeaderField]) -> PartResponse? {
    var head = whole
    head.fields = PartHead.fields(ofPart: fields, in: head.fields)
    // A coding is the message's, the lengths of its parts are those of what was coded.
    head.decodedCodings = []
    return envelope.url.flatMap { PartResponse(head, url: $0) }
  }
}

/// The response that a part of a multipart/x-mixed-replace body is. It always waits for `Load.accept(_:)`.
package final class PartResponse: LoadedResponse, @unchecked Sendable {
  // Sendable: like its superclass, it never changes.
}
