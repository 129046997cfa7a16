// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// One request of an HTTP archive. Times are milliseconds; -1 stands for what is not known.
struct HAREntry: Encodable {
  struct Pair: Encodable {
    var name: String
    var value: String

    init(name: String, value: String) { (self.name, self.value) = (name, value) }

    /// The field of a line such as `Accept: */*`; a name of HTTP/2 may begin with the colon.
    init(_ line: String) {
      let colon = line.dropFirst().firstIndex(of: ":") ?? line.endIndex
      (name, value) = (String(line[..<colon]), String(line[colon...].dropFirst().drop { $0 == " " }))
    }
  }

  struct Request: Encodable {
    var method: String
    var url: String
    var httpVersion: String
    var cookies: [Pair] = []
    var headers: [Pair]
    var queryString: [Pair]
    var headersSize = -1
    var bodySize: Int
  }

  struct Content: Encodable {
    var size: Int
    var mimeType = ""
    var comment = "bytes sent in answer, head and framing included"
  }

  struct Response: Encodable {
    var status: Int
    var statusText = ""
    var httpVersion: String
    var cookies: [Pair] = []
    var headers: [Pair] = []
    var content: Content
    var redirectURL = ""
    var headersSize = -1
    var bodySize = -1
  }

  struct Timings: Encodable {
    var blocked = -1.0
    var dns = -1.0
    var connect = -1.0
    var ssl = -1.0
    var send = 0.0
    var wait: Double
    var receive: Double
    var comment =
      "as the server saw it: from the request's whole head to the answer's first bytes, and from there to its end"
  }

  struct Cache: Encodable {}

  var pageref: String
  var startedDateTime: String
  var time: Double
  var request: Request
  var response: Response
  var cache = Cache()
  var timings: Timings
  var serverIPAddress = "127.0.0.1"
  var connection: String
  var comment: String

  /// The entry of a request; one without an end lasts to the example's end.
  init(_ seen: RequestSeen, of example: ExampleResult, page: String, started: String) {
    let ended = seen.ended ?? max(seen.began, example.time.wall)
    pageref = page
    startedDateTime = started
    time = Self.milliseconds(ended - seen.began)
    let wait = Self.wait(for: seen, until: ended)
    timings = Timings(wait: wait, receive: Self.milliseconds(time / 1000 - wait / 1000))
    connection = "\(seen.socket)"
    comment = seen.ended == nil ? "\(example.id); the request never ended" : example.id
    request = Request(
      method: seen.method, url: Self.address(of: seen), httpVersion: seen.version,
      headers: RequestHeads(seen).fields.map(Pair.init),
      queryString: Self.query(of: seen), bodySize: seen.bodyBytes)
    response = Response(
      status: seen.status ?? 0, httpVersion: seen.version,
      headers: RequestHeads(seen).answer.dropFirst().map(Pair.init), content: Content(size: seen.bytesSent))
  }

  /// How long the server took to begin its answer; without an answer all of the time.
  private static func wait(for seen: RequestSeen, until ended: Double) -> Double {
    guard let answered = seen.answered else { return seen.status == nil ? milliseconds(ended - seen.began) : 0 }
    return milliseconds(min(answered, ended) - seen.began)
  }

  /// Milliseconds to the microsecond, of a stretch of seconds; none of a negative one.
  static func milliseconds(_ seconds: Double) -> Double { (max(0, seconds) * 1_000_000).rounded() / 1000 }

  /// The address, by the Host field.
  private static func address(of seen: RequestSeen) -> String {
    if seen.target.contains("://") { return seen.target }
    let scheme = seen.tls == nil ? "http" : "https"
    return "\(scheme)://\(seen.fields["host"] ?? seen.fields[":authority"] ?? "127.0.0.1")\(seen.target)"
  }

  private static func query(of seen: RequestSeen) -> [Pair] {
    seen.target.drop { $0 != "?" }.dropFirst().split(separator: "&").map { part in
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return Pair(name: sides[0], value: sides.count > 1 ? sides[1] : "")
    }
  }
}
