// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Subprocess
import Testing

/// What a terminal shows of text that is longer than it; `script` lends the terminal.
@Suite(.timeLimit(.minutes(2))) struct PagerTests {
  private static let pager: [Environment.Key: String?] = ["PAGER": "sed s/^/PAGED/"]

  @Test func `text longer than the terminal goes to the reader's pager`() async throws {
    let claims = try await Command.onTerminal("claims", environment: Self.pager)
    #expect(claims.output.contains("PAGED"), "\(claims.output.prefix(300))")
    #expect(claims.status == .exited(0))
    let text = try await Command.onTerminal("show 5", environment: Self.pager)
    #expect(text.output.contains("PAGED"))
  }

  @Test func `a report on standard error is in colour on a terminal, and in none that is no terminal`() async throws {
    let shown = try await Command.onTerminal("measure -- true")
    #expect(shown.output.contains("\u{1B}[1mtrue\u{1B}[0m") && !shown.output.contains("␛"), "\(shown.output)")
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).txt")
    defer { try? FileManager.default.removeItem(at: file) }
    for line in ["measure -- true 2>'\(file.path)'", "measure --output '\(file.path)' -- true"] {
      _ = try await Command.onTerminal(line)
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(text.hasPrefix("true\n"), "\(line): \(text)")
    }
  }

  @Test func `a short text, --no-pager, a dumb terminal and a pipe have none`() async throws {
    let short = try await Command.onTerminal("claims --lesson 2", environment: Self.pager)
    #expect(!short.output.contains("PAGED") || short.output.split(separator: "\n").count >= 24)
    let off = try await Command.onTerminal("claims --no-pager", environment: Self.pager)
    #expect(!off.output.contains("PAGED") && off.output.contains("\(ClaimTable.rows.count) claims"))
    let dumb = try await Command.onTerminal("claims", environment: Self.pager.merging(["TERM": "dumb"]) { $1 })
    #expect(!dumb.output.contains("PAGED"))
    #expect(try await !Command.run(["claims"], environment: Self.pager).output.contains("PAGED"))
  }

  @Test func `a pager that is not there is no error`() async throws {
    let result = try await Command.onTerminal("claims", environment: ["PAGER": "no-such-pager --all"])
    #expect(result.status == .exited(0))
    #expect(result.output.contains("N5-16") && !result.output.contains("not found"))
  }

  @Test func `the pager hears that Chinese is UTF-8, unless the reader's variables name a set`() async throws {
    let asking: [Environment.Key: String?] = [
      "LC_ALL": nil, "LANG": "zh_CN.UTF-8", "PAGER": "printenv LESSCHARSET", "LESSCHARSET": nil, "LESSCHARDEF": nil,
    ]
    #expect(try await Command.onTerminal("show 2", environment: asking).output == "utf-8\r\n")
    let own = asking.merging(["LESSCHARSET": "ascii"]) { $1 }
    #expect(try await Command.onTerminal("show 2", environment: own).output == "ascii\r\n")
  }

  @Test func `a reader who leaves the pager early is no error`() async throws {
    let result = try await Command.onTerminal("claims", environment: ["PAGER": "head -n 3"])
    #expect(result.status == .exited(0), "\(result.output)")
  }
}
