// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking

@testable import HTTPRules
@testable import Transport
@testable import URLLoading

// What an answer means, beyond its head, and what stands in place of one.
extension Target {
  /// A `data:` URL: what is read has a media type that can be told, and is not longer than its text.
  static let dataURL = Target("data-url") { bytes in
    let text = "data:" + String(decoding: bytes, as: UTF8.self)
    guard let read = DataURL(text) else { return }
    check(read.body.count <= text.utf8.count, "more bytes than the URL has")
    check(read.mediaType.split(separator: "/").count == 2, "the media type “\(read.mediaType)”")
    if let url = URL(string: text) { _ = DataURL(url.absoluteString) }
  }

  /// What a socket held when it died: an answer is taken only as a whole, and then its head is there with its end.
  static let refusal = Target("refusal") { bytes in
    for method in ["POST", "HEAD"] {
      guard let length = Transfer.wholeAnswer(in: bytes, to: method) else { continue }
      check(length > 0 && length <= bytes.count && bytes[length - 1] == 10, "a head without its end")
      check(Transfer.wholeAnswer(in: Array(bytes.dropLast()), to: method) == nil, "an answer that is cut")
    }
  }

  /// The boundary that a Content-Type names: one that RFC 2046 allows, and a parser for it can be made.
  static let boundary = Target(field: "boundary") { value in
    let prefixed = "multipart/x-mixed-replace;" + value
    for type in [value, prefixed] {
      guard let boundary = MixedReplace.boundary(of: type) else { continue }
      check((1...70).contains(boundary.count) && boundary.last != 32, "a boundary of \(boundary.count) bytes")
      check(boundary.allSatisfy { (32...126).contains($0) }, "a boundary that cannot be printed")
      _ = PartParser(boundary: boundary)
    }
  }

  /// A server's answer to a Range request: the download continues only with the range that it lacks, of the version that it
  /// has; the request that follows from a first answer's validator can be sent.
  static let resumeAnswer = Target("resume-answer") { bytes in
    guard let url = URL(string: "http://example.com/a"), let head = head(of: bytes) else { return }
    let record = ResumeRecord(
      request: URLRequest(url: url), received: 5000, total: nil, validator: .entityTag("\"v1\""),
      fileName: "CFNetworkDownload_abcdef.tmp", fileNumber: 1)
    if case .continues(let total) = ResumeRules.outcome(of: head, for: record) {
      check(head.status == 206 && total > record.offset, "a rest that is none")
      check(head.value(of: "ETag") == "\"v1\"", "a rest of another version")
    }
    guard let offer = ResumeRules.offer(of: head, to: record.request, now: 1_000_000_000) else { return }
    check(isSendable(offer.validator.ifRange), "a validator that cannot be sent")
    check(head.status == 200 && offer.total ?? 0 >= 0, "an offer that is none")
  }

  /// The answer to a WebSocket's opening handshake: accepted only with the proof for its key.
  static let webSocketAnswer = Target("websocket-answer") { bytes in
    guard let head = head(of: bytes) else { return }
    let handshake = WebSocketHandshake(protocols: ["a", "b"], key: [UInt8](repeating: 7, count: 16))
    guard handshake.refusal(of: head) == nil else { return }
    let proof = WebSocketHandshake.accept(handshake.key)
    check(head.status == 101 && head.value(of: "Sec-WebSocket-Accept") == proof, "accepted without a proof")
  }

  /// The first final head in these lines, or the first that switches protocols.
  private static func head(of bytes: [UInt8]) -> ResponseHead? {
    var judge = HeadJudge(requestMethod: "GET", allowsHTTP2: false)
    for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
      let ended = Array(line) + [10]
      switch judge.line(ended.span) {
      case .final(let head): return head
      case .interim(let head) where head.status == 101: return head
      case .interim, .more: continue
      case .trailer, .fault: return nil
      }
    }
    return nil
  }
}
