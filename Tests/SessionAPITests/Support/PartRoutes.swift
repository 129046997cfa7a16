// SPDX-License-Identifier: Apache-2.0
import LessonServer
import Locking

/// Routes that send a body of 3,000,000 bytes, or the part of it that a Range field asks for.
enum PartRoutes {
  static let size: Int64 = 3_000_000
  static let seed: UInt64 = 9
  static let tag = HeaderField("ETag", "\"v1\"")
  static let ranges = HeaderField("Accept-Ranges", "bytes")
  static let checksum = SeededBody.checksum(seed: seed, size: size)

  /// The first byte that a request asks for.
  static func first(of request: Request) -> Int64 {
    request.head["Range"].flatMap { Int64($0.dropFirst(6).dropLast()) } ?? 0
  }

  /// The whole, or the rest from the byte that the request asks for.
  static func answer(_ request: Request, fields: [HeaderField] = [tag, ranges], seed: UInt64 = seed) -> Response {
    let start = first(of: request)
    let body = Response.Body.seeded(seed: seed, range: start..<size)
    guard request.head["Range"] != nil else { return Response(fields: fields, body: body) }
    let place = HeaderField("Content-Range", "bytes \(start)-\(size - 1)/\(size)")
    return Response(206, fields: fields + [place], body: body)
  }

  /// Sends a third of the whole, waits at the gate "rest" and goes on; parts are sent at once.
  static func held(_ path: String, fields: [HeaderField] = [tag, ranges]) -> Route {
    Route(path) { held($0, fields: fields) }
  }

  /// The same as the answer to a request.
  static func held(_ request: Request, fields: [HeaderField] = [tag, ranges]) -> Script {
    let answer = answer(request, fields: fields)
    guard request.head["Range"] == nil else { return .response(answer) }
    let third = size / 3
    return [
      .bytes(answer.head), .seeded(seed: seed, range: 0..<third), .gate("rest"),
      .seeded(seed: seed, range: third..<size),
    ]
  }

  /// Cuts the first answer in the middle. A request for the rest is answered by `second`, any other with the whole.
  static func cut(
    _ path: String, fields: [HeaderField] = [tag, ranges], then second: @escaping @Sendable (Request) -> Script
  ) -> Route {
    let isFirst = Locked(true)
    return Route(path) { request in
      guard request.head["If-Range"] == nil else { return second(request) }
      let cuts = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      let whole = Script.response(answer(request, fields: fields))
      return cuts ? whole.cut(after: size / 2, by: .fin) : whole
    }
  }
}
