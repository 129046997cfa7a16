// SPDX-License-Identifier: Apache-2.0
import Foundation
import Reports
import Subprocess
import Testing

/// `workbench behaviour`: the table as data, as text and as a page.
@Suite struct BehaviourTests {
  private func table(_ arguments: String...) async throws -> BehaviourTable {
    let result = try await Command.run(["behaviour", "--json"] + arguments)
    #expect(result.status == .exited(0), "\(result.errors)")
    return try JSONDecoder().decode(BehaviourTable.self, from: Data(result.output.utf8))
  }

  @Test func `there are more than 200 rows, each with a rule, a source and evidence for what it says`() async throws {
    let table = try await table()
    #expect(table.rows.count > 200 && Set(table.rows.map(\.id)).count == table.rows.count)
    for row in table.rows {
      #expect(!row.rule.isEmpty && !row.source.isEmpty && !row.member.isEmpty, "\(row.id)")
      for cell in [row.ours, row.toolchain] where cell.verdict != .unknown {
        #expect(!cell.evidence.isEmpty && !cell.answer.isEmpty, "\(row.id)")
      }
    }
    for feature in ["URLSession", "URLSessionConfiguration", "URLSessionTaskDelegate", "NSURLConnection"] {
      #expect(table.features.contains(feature))
    }
  }

  @Test func `one feature can be chosen, and an unknown one gets the names`() async throws {
    let table = try await table("--feature", "REDIRECTS")
    #expect(table.features == ["redirects"] && table.rows.count > 40)
    let unknown = try await Command.run("behaviour", "--feature", "none")
    #expect(unknown.status == .exited(64) && unknown.errors.contains("redirects"))
  }

  @Test func `the text has a line for each row, in either language`() async throws {
    let english = try await Command.run("behaviour", "--feature", "redirects")
    #expect(english.output.contains("303 after POST: the next method"))
    #expect(english.output.contains("the toolchain’s"))
    let chinese = try await Command.run("behaviour", "--feature", "redirects", "--language", "zh-Hans")
    #expect(chinese.output.contains("工具链自带") && chinese.output.contains("是"))
  }

  @Test func `the page names rule and source`() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("behaviour-\(UUID()).html")
    defer { try? FileManager.default.removeItem(at: file) }
    let result = try await Command.run("behaviour", "--feature", "redirects", "--html", file.path)
    #expect(result.status == .exited(0))
    let page = try String(contentsOf: file, encoding: .utf8)
    #expect(page.contains("RFC 9110") && page.contains("probe redirect.303-POST"))
  }
}
