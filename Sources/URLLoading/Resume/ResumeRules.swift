// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules
import Transport

/// When a download can be taken up again, how that is asked for, and what an answer means (RFC 9110 sections 13.1.5, 14
/// and 15.3.7). Pure.
enum ResumeRules {
  /// The offer of a response for a later attempt.
  struct Offer: Equatable {
    var validator: ResumeValidator
    /// The length of the whole, where the server sent it.
    var total: Int64?
  }

  /// The meaning of the answer to a request for the rest.
  enum Outcome: Equatable {
    /// The rest comes, and ends the whole of this length.
    case continues(total: Int64)
    /// Something else comes: what there is is worth nothing, and the response is taken as any other.
    case startsAnew
    /// The answer is of no use: what there is is dropped, and the whole is asked for.
    case asksForAll
  }

  /// The offer of a response; nil unless it is the plain 200 to a GET, its body is stored as it came, and the server
  /// accepts byte ranges and sends a strong validator.
  static func offer(of head: ResponseHead, to request: URLRequest, now: Int64) -> Offer? {
    guard head.status == 200, (request.httpMethod ?? "GET") == "GET", head.decodedCodings.isEmpty,
      request.value(forHTTPHeaderField: "Range") == nil,
      head.value(of: "Accept-Ranges")?.lowercased().split(separator: ",").contains(where: { $0.isBytes }) == true,
      let validator = ResumeValidator(
        entityTag: head.value(of: "ETag"), modified: head.value(of: "Last-Modified"), date: head.value(of: "Date"),
        now: now)
    else { return nil }
    return Offer(validator: validator, total: head.contentLength)
  }

  /// The request for the rest. Nothing may be encoded in it: ranges count the bytes of what is sent.
  static func request(_ request: URLRequest, for record: ResumeRecord) -> URLRequest {
    var rest = request
    rest.setValue("bytes=\(record.offset)-", forHTTPHeaderField: "Range")
    rest.setValue(FieldOctets.sentBack(record.validator.ifRange), forHTTPHeaderField: "If-Range")
    rest.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    return rest
  }

  /// Reads the meaning of the answer to `request(_:for:)`.
  static func outcome(of head: ResponseHead, for record: ResumeRecord) -> Outcome {
    let range = head.value(of: "Content-Range").flatMap { ContentRange($0) }
    switch head.status {
    case 206: return part(head, range, record).map { .continues(total: $0) } ?? .asksForAll
    // The range that is asked for begins before the last byte there is, so the resource has become shorter.
    case 416: return .asksForAll
    // A whole body whose bytes cannot be counted: asked for plainly, it is decoded on the way.
    case 200 where isEncoded(head): return .asksForAll
    default: return .startsAnew
    }
  }

  /// The length of the whole, when a 206 brings just what is missing of just that version.
  private static func part(_ head: ResponseHead, _ range: ContentRange?, _ record: ResumeRecord) -> Int64? {
    guard let range, let part = range.part, part.lowerBound == record.offset, !isEncoded(head),
      record.validator.matches(entityTag: head.value(of: "ETag"), modified: head.value(of: "Last-Modified"))
    else { return nil }
    guard let total = range.total ?? record.total, record.total ?? total == total, part.upperBound == total - 1,
      head.contentLength ?? Int64(part.count) == Int64(part.count)
    else { return nil }
    return total
  }

  private static func isEncoded(_ head: ResponseHead) -> Bool {
    guard let coding = head.value(of: "Content-Encoding") else { return false }
    return coding.lowercased() != "identity"
  }

  /// True if a load that failed so is worth another attempt with what there is: its connection was lost or stood still.
  /// A response that was damaged is not to be trusted, and a full disk is not to be kept full.
  static func isWorthKeeping(after code: URLError.Code) -> Bool {
    switch code {
    case .networkConnectionLost, .timedOut, .notConnectedToInternet: true
    default: false
    }
  }
}

extension Substring {
  /// True if this is the unit bytes in a list.
  fileprivate var isBytes: Bool { drop { $0 == " " } == "bytes" || self == "bytes" }
}
