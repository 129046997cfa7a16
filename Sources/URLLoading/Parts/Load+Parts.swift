// SPDX-License-Identifier: Apache-2.0
import Foundation
import Transport

/// A body that is a sequence of responses: each part is announced as a response, and waits for its answer before its
/// data comes. So a client has delivered the part before when it is given the next one, and a server that sends nothing
/// but boundaries is slowed down by the delegate.
extension Load {
  /// The parts under way.
  final class Parts {
    let whole: ResponseHead
    let envelope: LoadedResponse
    var parser: PartParser
    var hasBegun = false
    /// What came behind the head of a part that waits for its answer, from `restStart` on: many small parts that came
    /// at once are not copied again for each of them.
    var rest: [UInt8] = []
    var restStart = 0

    init(_ whole: ResponseHead, _ envelope: LoadedResponse, boundary: [UInt8]) {
      self.whole = whole
      self.envelope = envelope
      parser = PartParser(boundary: boundary)
    }
  }

  /// Begins the parts of a response that is of their type, for a client that takes a body in pieces; nil for any other.
  /// Handlers and files get the body as it is.
  func parted(by head: ResponseHead, _ response: LoadedResponse) -> TransferFlow? {
    switch presetSink {
    case .stream, nil: break
    case .collect, .file, .refuse: return nil
    }
    guard let boundary = MixedReplace.boundary(of: head.value(of: "Content-Type")) else { return nil }
    output = .parts(Parts(head, response, boundary: boundary))
    return holds.isEmpty ? .proceed : .pause
  }

  func take(_ bytes: UnsafeRawBufferPointer, of parts: Parts) -> TransferFlow {
    addReceived(bytes.count)
    client?.load(self, didReceive: bytesReceived)
    guard machine.isExchanging else {
      parts.rest += bytes
      return .pause
    }
    var input = bytes[...]
    let flow = sort(&input, of: parts)
    parts.rest += input
    return flow
  }

  /// Goes through `input` until it is used up, or a part waits for its answer.
  private func sort(_ input: inout Slice<UnsafeRawBufferPointer>, of parts: Parts) -> TransferFlow {
    var isFull = false
    while let event = parts.parser.next(&input) {
      switch event {
      case .data(let data): isFull = append(data)
      case .held(let held): isFull = held.withUnsafeBytes { append($0) }
      case .part(let fields): return announce(fields, of: parts)
      case .fault(let sentence):
        end(LoadError.error(.cannotParseResponse, url: currentURL, description: sentence))
        return .proceed
      }
    }
    if isFull { return hold(.buffer) }
    return holds.isEmpty ? .proceed : .pause
  }

  private func announce(_ fields: [HeaderField], of parts: Parts) -> TransferFlow {
    var head = parts.whole
    head.fields = PartHead.fields(ofPart: fields, in: head.fields)
    // A coding is the message's, the lengths of its parts are those of what was coded.
    head.decodedCodings = []
    guard let client, let url = parts.envelope.url, let response = PartResponse(head, url: url) else {
      end(
        LoadError.error(
          .cannotParseResponse, url: currentURL, description: "A part's head cannot be represented."))
      return .proceed
    }
    parts.hasBegun = true
    self.response = response
    note(.asked(.sink(response)))
    flushBody(client)
    client.load(self, didReceive: response)
    return .pause
  }

  /// The part that waited has its answer.
  func goOn(with parts: Parts) {
    let rest = parts.rest
    parts.restStart = rest.withUnsafeBytes { bytes in
      var input = bytes[parts.restStart...]
      _ = sort(&input, of: parts)
      return input.startIndex
    }
    if parts.restStart == rest.count { (parts.rest, parts.restStart) = ([], 0) }
    guard machine.isExchanging else { return }
    readOn()
    finishIfComplete()
  }

  /// The whole message has come. False when it had no part and is a response by itself, which is announced now, or when it
  /// ended in the middle of a part: what came of that is delivered, and the load ends as one whose connection was lost.
  func finish(_ parts: Parts) -> Bool {
    output = .stream
    let isCut = parts.parser.isInPart
    _ = parts.parser.finish().withUnsafeBytes { append($0) }
    if isCut {
      end(LoadError.error(.networkConnectionLost, url: currentURL, description: "The last part has no end."))
      return false
    }
    guard !parts.hasBegun else { return true }
    _ = announce(parts.envelope)
    return false
  }
}

/// The response that a part of a multipart/x-mixed-replace body is. It always waits for `Load.accept(_:)`.
package final class PartResponse: LoadedResponse, @unchecked Sendable {
  // Sendable: like its superclass, it never changes.
}
