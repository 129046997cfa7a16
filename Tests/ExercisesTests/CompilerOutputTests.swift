// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Exercises

@Suite struct CompilerOutputTests {
  @Test func `what belongs to the file beside the program is left out, with its source and notes`() {
    let output = CompilerOutput(
      """
      /w/file/mine.swift:7:22: error: cannot convert
          let count: Int = "three"
                           ^~~~~~~
      /w/file/mine.swift:1:15: note: to match this
      enum
      /w/WorkbenchEntry.swift:4:3: error: cannot find 'Exercise' in scope
          Exercise.run
      /w/file/mine.swift:2:1: note: did you mean
      /w/file/mine.swift:9:1: warning: never used
      x

      """, about: "/w/file/mine.swift", beside: "/w/WorkbenchEntry.swift")
    #expect(output.hasErrors && output.hasOthers && output.remarks.isEmpty)
    #expect(
      output.text(replacing: "/w/file/mine.swift", by: "a b/mine.swift") == """
        a b/mine.swift:7:22: error: cannot convert
            let count: Int = "three"
                             ^~~~~~~
        a b/mine.swift:1:15: note: to match this
        enum
        a b/mine.swift:9:1: warning: never used
        x

        """)
  }

  @Test func `trouble of the compiler's own is no finding in the program`() {
    let text = """
      /build/CLinux.build/module.modulemap:2:21: error: umbrella header '/moved/CLinux.h' not found
      <unknown>:0: error: could not build C module 'CLinux'

      """
    let output = CompilerOutput(text, about: "/w/a.swift", beside: "/w/b.swift")
    #expect(!output.hasErrors && !output.hasOthers)
    #expect(output.remarks == text)
  }

  @Test func `warnings alone are no errors`() {
    let output = CompilerOutput(
      "/w/a.swift:1:2: warning: an error: message\n", about: "/w/a.swift", beside: "/w/b.swift")
    #expect(!output.hasErrors)
    #expect(output.findings.count == 1)
  }
}
