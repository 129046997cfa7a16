// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Testing

@testable import Reports

/// The fields of requests and answers, as reports show them.
@Suite struct RequestHeadsTests {
  private static func request(_ target: String, at began: Double, cookie: String = "a=secret") throws -> RequestSeen {
    let json = """
      {"method": "GET", "target": "\(target)", "version": "HTTP/1.1", "fields": {"host": "h", "cookie": "\(cookie)"},
       "fieldLines": ["Host: h", "COOKIE: \(cookie)", "Authorization: Basic secret", "X-Program: one", "X-Program: two"],
       "answerLines": ["HTTP/1.1 200 Fine", "Set-Cookie: b=secret", "ETag: \\"1\\""],
       "bodyBytes": 0, "bodyChecksum": "0", "status": 200, "bytesSent": 20, "socket": 1, "began": \(began)}
      """
    return try JSONDecoder().decode(RequestSeen.self, from: Data(json.utf8))
  }

  private static func report(_ requests: [RequestSeen]) throws -> RunReport {
    var report = try Golden.report("lesson-09")
    report.lessons[0].examples.removeSubrange(1...)
    report.lessons[0].examples[0].requests = requests
    return report
  }

  private static let lines = [
    "> GET /a HTTP/1.1", "> Host: h", "> COOKIE: (hidden)", "> Authorization: (hidden)", "> X-Program: one",
    "> X-Program: two", "< HTTP/1.1 200 Fine", "< Set-Cookie: (hidden)", "< ETag: \"1\"",
  ]

  @Test func `--verbose has the heads below each request, in order and without secrets`() throws {
    let requests = try [Self.request("/a", at: 0.1), Self.request("/b", at: 0.2)]
    var other = try Self.request("/c", at: 0.3)
    other.fieldLines = ["Host: other"]
    let report = try Self.report(requests + [other])
    let text = try TerminalReport(report, style: Golden.style(80), isVerbose: true).text
    let shown = text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter {
      $0.hasPrefix("> ") || $0.hasPrefix("< ")
    }
    let third = ["> GET /c HTTP/1.1", "> Host: other"] + Self.lines.suffix(3)
    #expect(shown.map(String.init) == Self.lines + third)
    #expect(text.contains("the same fields as of the request at 0.10\u{A0}s") && !text.contains("secret"))
    let chinese = try TerminalReport(report, style: Golden.style(80, .simplifiedChinese), isVerbose: true).text
    #expect(chinese.contains("> COOKIE: （已隐藏）") && chinese.contains("字段与 0.10\u{A0}s 的请求相同"))
    #expect(!(try TerminalReport(report, style: Golden.style(80)).text.contains("> Host")), "without --verbose")
  }

  @Test func `each request is shown with --verbose, and long fields fit the column`() throws {
    var requests = try (0..<30).map { try Self.request("/\($0)", at: Double($0)) }
    requests[0].fieldLines = ["X-Long: \(String(repeating: "word ", count: 40))"]
    let text = try TerminalReport(Self.report(requests), style: Golden.style(80), isVerbose: true).text
    for number in 0..<30 { #expect(text.contains(" GET /\(number) "), "\(number)") }
    #expect(text.split(separator: "\n").allSatisfy { Golden.columns($0) <= 80 })
  }

  @Test func `a page has them for who opens a request`() throws {
    var requests = try [Self.request("/a", at: 0.1), Self.request("/b", at: 0.2), Self.request("/c", at: 0.3)]
    requests[1].fieldLines = ["Host: other"]
    requests.insert(try Self.request("/again", at: 0.15), at: 1)
    let report = try Self.report(requests)
    for (language, first, second, same) in [
      (Language.english, "fields, also of 1 request below", "fields", "the same fields as of the request at 0.10"),
      (.simplifiedChinese, "字段，下面 1 个请求也相同", "字段", "字段与 0.10"),
    ] {
      let page = try HTMLReport(report, Golden.setting(language)).text()
      for (name, target) in [(first, "a"), (second, "b")] {
        let opened = try Regex("<details><summary>\(name)</summary><pre[^>]*>&gt; GET /\(target) HTTP/1.1\n")
        #expect(page.matches(of: opened).count == 1, "\(name)")
      }
      #expect(page.contains("&lt; ETag: &quot;1&quot;</pre></details>") && !page.contains("secret"))
      #expect(page.components(separatedBy: same).count == 2, "/c alone says where its fields stand")
    }
  }

  @Test func `files for others have them, without secrets`() throws {
    let report = try Self.report([Self.request("/a", at: 0.1)])
    let json = try JSONReport.text(report)
    #expect(json.contains("\"COOKIE: (hidden)\"") && json.contains("\"ETag: \\\"1\\\"\"") && !json.contains("secret"))
    let archive = try HARReport(report).text()
    #expect(!archive.contains("secret"))
    let object = try JSONSerialization.jsonObject(with: Data(archive.utf8)) as? [String: Any]
    let entry = try #require(((object?["log"] as? [String: Any])?["entries"] as? [[String: Any]])?.first)
    func names(_ part: String) -> [String] {
      (((entry[part] as? [String: Any])?["headers"] as? [[String: String]]) ?? []).compactMap { $0["name"] }
    }
    #expect(names("request") == ["Host", "COOKIE", "Authorization", "X-Program", "X-Program"])
    #expect(names("response") == ["Set-Cookie", "ETag"])
  }

  @Test func `a report of a former version has the fields that it kept`() throws {
    var request = try Self.request("/a", at: 0.1)
    (request.fieldLines, request.answerLines) = (nil, nil)
    let heads = RequestHeads(request)
    #expect(heads.fields == ["cookie: (hidden)", "host: h"] && heads.answer.isEmpty)
    request.fields = [:]
    #expect(RequestHeads(request).lines(of: request, StringCatalogue(.english)).isEmpty, "no fields, nothing to open")
    #expect(RequestHeads.firstAlike([request, request]) == [nil, nil])
    #expect(!(try HTMLReport(Self.report([request]), Golden.setting(.english)).text().contains("<summary>fields")))
  }
}
