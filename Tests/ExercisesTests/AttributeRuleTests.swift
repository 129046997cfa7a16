// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Testing

@testable import Exercises

/// The attributes that are closed to exercises, however they are written.
@Suite struct AttributeRuleTests {
  @Test(arguments: [
    ("@_cdecl(\"syscall\") func f() {}", "_cdecl"), ("@c func f() {}", "c"), ("@c(getpid) func f() {}", "c"),
    ("let r = #/\"\"\"/#\n@section(\".init_array\") let a = 1", "section"), ("@used let a = 1", "used"),
    ("@_used @_section(\"x\") let a = 1", "_used"), ("@_silgen_name(\"HMAC\") func f()", "_silgen_name"),
    ("@_extern(c, \"puts\") func f()", "_extern"), ("@testable import LessonKit", "testable"),
    ("@_private(sourceFile: \"a.swift\") import LessonKit", "_private"),
    ("@_originallyDefinedIn(module: \"LessonKit\", Linux 1) enum A {}", "_originallyDefinedIn"),
  ])
  func `an attribute that leads around the limits is refused by name`(_ source: String, _ name: String) {
    let sentence = "it has the attribute @\(name), which is closed to exercises; remove it"
    #expect(AttributeRule.refusal(of: source)?.description == sentence)
  }

  @Test(arguments: ["_cdecl", "c", "section", "used", "_silgen_name", "_used", "_section", "testable"])
  func `nothing that may stand between the at sign and the name hides it`(_ name: String) {
    let disguises = [
      "`%`", "\n%", "\r\n%", "\t %", "/**/%", "/* /* */ @ */%", "// @main\n%", "/*\n*/`%`", "\u{0}%", "\u{C}%",
      "\u{A0}%", "\u{200B}%", "\u{FEFF}%",
    ]
    for disguise in disguises {
      for rest in ["(\"x\") func f() {}", "/**/(\"x\") func f() {}", " func f() {}", "/**/func f() {}", "\nlet a = 1"] {
        let source = "let before = 1\n@" + disguise.replacing("%", with: name) + rest
        let found = AttributeRule.refusal(of: source)?.description
        #expect(found?.hasPrefix("it has the attribute @\(name),") == true, "\(source.debugDescription)")
      }
    }
  }

  @Test(arguments: [
    "@main enum A {} // me@c.org, @convention(c) @Sendable @concurrent", "", "@", "@/*", "a@//", "@`", "@/", "@/* */",
    "@MainActor @preconcurrency @available(*, deprecated) @inline(never) @dynamicMemberLookup @unknown",
  ])
  func `other attributes, addresses and halves of an attribute are open`(_ source: String) {
    #expect(AttributeRule.refusal(of: source) == nil)
  }
}
