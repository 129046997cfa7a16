// SPDX-License-Identifier: Apache-2.0
import LessonServer
import SessionAPI

/// One row about caching as data: what a server answers twice, what is asked, and where the second answer comes from.
///
/// The body of an answer is the number of the request it answers. `{60}` in a field stands for the date a minute from
/// now, `{-60}` for that a minute ago.
struct CacheCase: Sendable, CustomStringConvertible {
  enum Second: Sendable {
    /// The server is not asked.
    case fromCache
    /// The server says 304, and the stored body comes with status 200.
    case validated
    /// The server is asked without a condition and answers anew.
    case loaded
  }

  var id = "CA-01"
  var summary: String
  /// Field lines of the answers; `{850 60}` and `{asctime 60}` stand for such dates in the two older forms.
  var fields: [String]
  var status = 200
  /// The fields of the first and the second request.
  var first: [String: String] = [:]
  var second: [String: String] = [:]
  var policy = NSURLRequest.CachePolicy.useProtocolCachePolicy
  /// Added to the URL of the second request.
  var query = ""
  var expected: Second

  var description: String { "\(id): \(summary)" }

  /// The answer to the request of this number.
  func answer(_ number: Int, to request: Request) -> Script {
    let fields = fields.map { line in
      let sides = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      return HeaderField(sides[0], Self.dated(sides.count > 1 ? sides[1] : ""))
    }
    let tag = fields.first { $0.name == "ETag" }?.value
    let date = fields.first { $0.name == "Last-Modified" }?.value
    // A request's octets stand as U+0000 to U+00FF.
    let octets = tag.map { String(String.UnicodeScalarView($0.utf8.map { Unicode.Scalar($0) })) }
    let isValid =
      octets.map { request.head["If-None-Match"] == $0 } ?? (date != nil && request.head["If-Modified-Since"] != nil)
    if isValid { return .response(Response(304, fields: fields)) }
    return .response(Response(status, fields: fields, body: .bytes(Array("\(number)".utf8))))
  }

  private static func dated(_ value: String) -> String {
    let words = value.dropFirst().dropLast().split(separator: " ")
    guard value.hasPrefix("{"), value.hasSuffix("}"), let offset = words.last.flatMap({ Double($0) }) else {
      return value
    }
    let date = Date(timeIntervalSinceNow: offset)
    if words[0] == "850" { return text(date, "EEEE, dd-MMM-yy HH:mm:ss 'GMT'") }
    guard words[0] == "asctime" else { return text(date, "EEE, dd MMM yyyy HH:mm:ss 'GMT'") }
    // A day of one digit has a space before it.
    let day = text(date, "d")
    return text(date, "EEE MMM ") + (day.count == 1 ? " " : "") + day + text(date, " HH:mm:ss yyyy")
  }

  private static func text(_ date: Date, _ format: String) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = format
    return formatter.string(from: date)
  }
}

extension CacheCase {
  static let all = lifetimes + dates + responses + requests + refusals + policies

  static let lifetimes = [
    CacheCase(summary: "max-age", fields: ["Cache-Control: max-age=3600"], expected: .fromCache),
    CacheCase(
      summary: "max-age, old before it came", fields: ["Cache-Control: max-age=60", "Age: 61"], expected: .loaded),
    CacheCase(
      summary: "max-age, dated long ago", fields: ["Cache-Control: max-age=60", "Date: {-3600}"], expected: .loaded),
    CacheCase(summary: "Expires", fields: ["Expires: {3600}", "Date: {0}"], expected: .fromCache),
    CacheCase(
      summary: "Expires that is no date", fields: ["Expires: 0", "Last-Modified: Tue, 15 Nov 1994 12:45:26 GMT"],
      expected: .validated),
    CacheCase(
      summary: "max-age wins over Expires", fields: ["Cache-Control: max-age=0", "Expires: {3600}"], expected: .loaded),
    CacheCase(
      summary: "s-maxage is for others", fields: ["Cache-Control: s-maxage=0, max-age=3600"], expected: .fromCache),
    CacheCase(
      summary: "a guess by Last-Modified", fields: ["Last-Modified: Tue, 15 Nov 1994 12:45:26 GMT", "Date: {0}"],
      expected: .fromCache),
    CacheCase(summary: "stale, with a tag", fields: ["Cache-Control: max-age=0", "ETag: \"a\""], expected: .validated),
    CacheCase(
      summary: "stale, with a tag beyond ASCII", fields: ["Cache-Control: max-age=0", "ETag: \"\u{E9}\u{FF}\""],
      expected: .validated),
    CacheCase(summary: "neither lifetime nor validator", fields: ["Content-Type: text/plain"], expected: .loaded),
    CacheCase(
      id: "CA-09", summary: "max-age beyond all clocks", fields: ["Cache-Control: max-age=99999999999999999999"],
      expected: .fromCache),
    CacheCase(
      id: "CA-09", summary: "Age of 2^63", fields: ["Cache-Control: max-age=60", "Age: 9223372036854775808"],
      expected: .loaded),
    CacheCase(
      id: "CA-09", summary: "a Date in the future", fields: ["Cache-Control: max-age=3600", "Date: {86400}"],
      expected: .fromCache),
  ]

  /// RFC 9110 section 5.6.7: the three forms of a date, in the future and in the past. What has none of them is past.
  static let dates =
    ["", "850 ", "asctime "].flatMap { form in
      [(3600, Second.fromCache), (-3600, .validated)].map { offset, expected in
        CacheCase(
          summary: "Expires in the form \(form)\(offset)",
          fields: ["Expires: {\(form)\(offset)}", "Date: {0}", "ETag: \"a\""], expected: expected)
      }
    }
    + [
      "Thu, 01 Jan 2099 00:00:00 UTC", "Thu, 01 Jan 2099 00:00:00 +0000", "Thu, 1 Jan 2099 00:00:00 GMT",
      "thu, 01 jan 2099 00:00:00 gmt", "Thu, 01 Jan 2099 00:00 GMT", "Thu, 01 Jan 2099 24:00:00 GMT",
      "2099-01-01T00:00:00Z", "Thu Jan 1 2099 00:00:00", "4070908800", "-1",
    ].map { date in
      CacheCase(
        summary: "Expires in no form: \(date)", fields: ["Expires: \(date)", "Date: {0}", "ETag: \"a\""],
        expected: .validated)
    }

  static let responses = [
    CacheCase(
      summary: "no-cache", fields: ["Cache-Control: max-age=3600, no-cache", "ETag: W/\"a\""], expected: .validated),
    CacheCase(
      summary: "no-cache for one field",
      fields: ["Cache-Control: no-cache=\"Set-Cookie\", max-age=3600", "ETag: \"a\""],
      expected: .validated),
    CacheCase(id: "CA-03", summary: "no-store", fields: ["Cache-Control: max-age=3600, no-store"], expected: .loaded),
    CacheCase(
      id: "CA-03", summary: "private: this cache is", fields: ["Cache-Control: private, max-age=3600"],
      expected: .fromCache),
    CacheCase(
      id: "CA-03", summary: "Vary: *", fields: ["Cache-Control: max-age=3600", "Vary: X-A, *"], expected: .loaded),
    CacheCase(
      id: "CA-03", summary: "Vary, the same request", fields: ["Cache-Control: max-age=3600", "Vary: x-a, X-B"],
      first: ["X-A": "1"], second: ["X-A": "1"], expected: .fromCache),
    CacheCase(
      id: "CA-03", summary: "Vary, another request", fields: ["Cache-Control: max-age=3600", "Vary: X-A"],
      first: ["X-A": "1"], second: ["X-A": "2"], expected: .loaded),
    CacheCase(
      id: "CA-03", summary: "Vary, a request without the field", fields: ["Cache-Control: max-age=3600", "Vary: X-A"],
      first: ["X-A": "1"], expected: .loaded),
    CacheCase(id: "CA-03", summary: "206", fields: ["Cache-Control: max-age=3600"], status: 206, expected: .loaded),
    CacheCase(id: "CA-03", summary: "404", fields: ["Cache-Control: max-age=3600"], status: 404, expected: .loaded),
  ]

  static let requests = [
    CacheCase(
      id: "CA-03", summary: "Authorization", fields: ["Cache-Control: max-age=3600"],
      first: ["Authorization": "Bearer x"], expected: .loaded),
    CacheCase(
      id: "CA-03", summary: "Authorization later", fields: ["Cache-Control: max-age=3600"],
      second: ["Authorization": "Bearer x"], expected: .loaded),
    CacheCase(
      summary: "the request says no-cache", fields: ["Cache-Control: max-age=3600", "ETag: \"a\""],
      second: ["Cache-Control": "no-cache"], expected: .validated),
    CacheCase(
      summary: "the request says Pragma: no-cache", fields: ["Cache-Control: max-age=3600", "ETag: \"a\""],
      second: ["Pragma": "no-cache"], expected: .validated),
    CacheCase(
      summary: "the request wants it younger", fields: ["Cache-Control: max-age=3600", "Age: 50"],
      second: ["Cache-Control": "max-age=49"], expected: .loaded),
    CacheCase(
      summary: "the request wants it fresh for longer", fields: ["Cache-Control: max-age=3600"],
      second: ["Cache-Control": "min-fresh=3700"], expected: .loaded),
    CacheCase(
      summary: "the request takes it stale", fields: ["Cache-Control: max-age=60", "Age: 100", "ETag: \"a\""],
      second: ["Cache-Control": "max-stale"], expected: .fromCache),
    CacheCase(
      summary: "must-revalidate forbids that",
      fields: ["Cache-Control: max-age=60, must-revalidate", "Age: 100", "ETag: \"a\""],
      second: ["Cache-Control": "max-stale"], expected: .validated),
    CacheCase(
      summary: "the request says no-store", fields: ["Cache-Control: max-age=3600"],
      first: ["Cache-Control": "no-store"],
      expected: .loaded),
    CacheCase(
      id: "D33", summary: "a range", fields: ["Cache-Control: max-age=3600"], second: ["Range": "bytes=0-0"],
      expected: .loaded),
  ]

  static let refusals = [
    CacheCase(
      id: "L.2", summary: "another query", fields: ["Cache-Control: max-age=3600"], query: "?x=2", expected: .loaded)
  ]

  private static let fresh = ["Cache-Control: max-age=3600", "ETag: \"a\""]
  private static let plain = ["Content-Type: text/plain"]
  private static let stale = ["Cache-Control: max-age=60", "Age: 100", "ETag: \"a\""]

  /// The table of A.9.
  static let policies = [
    CacheCase(
      id: "A.9", summary: "reloadIgnoringLocalCacheData", fields: fresh, policy: .reloadIgnoringLocalCacheData,
      expected: .loaded),
    CacheCase(
      id: "A.9", summary: "reloadIgnoringLocalAndRemoteCacheData", fields: fresh,
      policy: .reloadIgnoringLocalAndRemoteCacheData, expected: .loaded),
    CacheCase(
      id: "A.9", summary: "returnCacheDataElseLoad, stale", fields: stale, policy: .returnCacheDataElseLoad,
      expected: .fromCache),
    CacheCase(
      id: "A.9", summary: "returnCacheDataElseLoad, neither lifetime nor validator", fields: plain,
      policy: .returnCacheDataElseLoad, expected: .fromCache),
    CacheCase(
      id: "A.9", summary: "returnCacheDataDontLoad, neither lifetime nor validator", fields: plain,
      policy: .returnCacheDataDontLoad, expected: .fromCache),
    CacheCase(
      id: "A.9", summary: "returnCacheDataDontLoad, max-age=0 and no validator", fields: ["Cache-Control: max-age=0"],
      policy: .returnCacheDataDontLoad, expected: .fromCache),
    CacheCase(
      id: "A.9", summary: "reloadRevalidatingCacheData, neither lifetime nor validator", fields: plain,
      policy: .reloadRevalidatingCacheData, expected: .loaded),
    CacheCase(
      id: "A.9", summary: "neither lifetime nor validator, the request takes it stale", fields: plain,
      second: ["Cache-Control": "only-if-cached, max-stale"], expected: .fromCache),
    CacheCase(
      id: "A.9", summary: "returnCacheDataElseLoad, nothing", fields: ["Cache-Control: no-store"],
      policy: .returnCacheDataElseLoad, expected: .loaded),
    CacheCase(
      id: "A.9", summary: "returnCacheDataDontLoad, stale", fields: stale, policy: .returnCacheDataDontLoad,
      expected: .fromCache),
    CacheCase(
      id: "A.9", summary: "reloadRevalidatingCacheData, fresh", fields: fresh, policy: .reloadRevalidatingCacheData,
      expected: .validated),
    CacheCase(
      id: "A.9", summary: "reloadRevalidatingCacheData, no validator", fields: ["Cache-Control: max-age=3600"],
      policy: .reloadRevalidatingCacheData, expected: .loaded),
  ]
}
