// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Testing
import Transport

@testable import HTTPRules
@testable import URLLoading

@Suite struct StandingFieldsTests {
  @Test(arguments: [
    (["LANG": "zh_CN.UTF-8"], "zh-CN,zh;q=0.9"), (["LANG": "de"], "de"), (["LANG": "C.UTF-8"], "en"), ([:], "en"),
    (["LANG": "zh_CN.UTF-8", "LC_ALL": "de_AT@euro"], "de-AT,de;q=0.9"),
    (["LANG": "de_DE", "LC_ALL": "", "LANGUAGE": "zh_CN:zh_TW:en"], "zh-CN,zh;q=0.9,zh-TW;q=0.8,en;q=0.7"),
    (["LANG": "C", "LANGUAGE": "de"], "en"), (["LANG": "de_\u{e9}t"], "en"), (["LANG": "a\r\nX: 1"], "en"),
  ])
  func `the languages are those of the locale (B.16)`(environment: [String: String], languages: String) {
    #expect(StandingFields.languages(environment) == languages)
  }

  @Test func `the agent is the program with its version, escaped where a product may not have it (B.16)`() {
    let version = StandingFields.version
    #expect(StandingFields.agent("notes", version: "7") == "notes/7 workbench/\(version)")
    #expect(StandingFields.agent("my app/\u{e4}%", version: nil) == "my%20app%2F%C3%A4%25/unknown workbench/\(version)")
    #expect(StandingFields.agent("workbench", version: nil) == "workbench/\(version) workbench/\(version)")
    #expect(StandingFields.agent("", version: "") == "unknown/unknown workbench/\(version)")
    #expect(StandingFields.all.allSatisfy { $0.isSendable })
  }

  @Test func `the version is the one that the command prints`() throws {
    let file = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../Sources/workbench/Version.swift").standardizedFileURL
    #expect(try String(contentsOf: file, encoding: .utf8).contains("\"\(StandingFields.version)\""))
  }

  @Test func `a field of the program's own is the only one of its name (B.16)`() {
    let own = [HeaderField(name: "user-agent", value: "mine")]
    let fields = StandingFields.added(to: own)
    #expect(fields.filter { $0.isNamed("user-agent") } == own)
    #expect(fields.count == StandingFields.all.count)
  }
}
