// SPDX-License-Identifier: Apache-2.0
import Foundation
import Subprocess
import Testing

@Suite(.timeLimit(.minutes(2))) struct LanguageTests {
  private static func isChinese(_ text: String) -> Bool {
    text.unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) }
  }

  @Test(arguments: ["list", "claims", "doctor", "show 5", "show glossary"])
  func `--language decides what is printed`(_ line: String) async throws {
    let arguments = line.split(separator: " ").map(String.init)
    let chinese = try await Command.run(arguments + ["--language", "zh-Hans"])
    #expect(Self.isChinese(chinese.output), "\(chinese.output.prefix(200)) \(chinese.errors)")
    let english = try await Command.run(
      arguments + ["--language", "en"], environment: ["LC_ALL": "zh_CN.UTF-8", "PAGER": "cat"])
    #expect(english.output != chinese.output)
  }

  @Test(arguments: ["zh", "ZH", "zh-CN", "zh_CN.UTF-8", "zh-hans"])
  func `Chinese has several names`(_ name: String) async throws {
    let result = try await Command.run("show", "5", "--language", name)
    #expect(Self.isChinese(result.output), "\(result.errors)")
  }

  @Test func `without it LC_ALL, LC_MESSAGES and LANG decide, in this order`() async throws {
    func isChinese(_ all: String?, _ messages: String?, _ language: String?) async throws -> Bool {
      Self.isChinese(
        try await Command.run(
          "doctor", environment: ["LC_ALL": all, "LC_MESSAGES": messages, "LANG": language, "LC_CTYPE": nil]
        ).output)
    }
    #expect(try await isChinese(nil, nil, "zh_CN.UTF-8"))
    #expect(try await isChinese(nil, "zh_TW.UTF-8", "en_US.UTF-8"))
    #expect(try await !isChinese("en_US.UTF-8", "zh_CN.UTF-8", "zh_CN.UTF-8"))
    #expect(try await !isChinese(nil, nil, nil))
  }

  @Test func `errors are said in the reader's language`() async throws {
    let name = try await Command.run("run", "delegation", "--language", "zh-Hans")
    #expect(name.errors.hasPrefix("workbench: 没有名为“delegation”的课。最接近的有 lesson-"), "\(name.errors)")
    let command = try await Command.run("lst", environment: ["LC_ALL": "zh_CN.UTF-8"])
    #expect(command.errors == "workbench: 没有“lst”这个命令；你想用的是不是“list”？\n")
    for option in [["--language", "zh-Hans"], ["--language=zh-Hans"], ["--language", "en", "--language=zh"]] {
      let named = try await Command.run(["lst"] + option)
      #expect(named.errors == command.errors)
    }
    let english = try await Command.run("lst", "--language", "en", environment: ["LC_ALL": "zh_CN.UTF-8"])
    #expect(english.errors == "workbench: There is no command “lst”; did you mean “list”?\n")
    let folder = try await Command.run(
      "run", "5", "--example", "delegate-main", "--language", "zh-Hans", environment: ["TMPDIR": "/proc/nowhere"])
    #expect(folder.status == .exited(3))
    #expect(folder.errors.contains("请把 TMPDIR 设为你能写入的文件夹。"), "\(folder.errors)")
  }

  @Test func `translations that cannot be read are named, in English`() async throws {
    let result = try await Command.run(
      "list", "--language", "zh-Hans", environment: ["WORKBENCH_LESSONS": "/nowhere"])
    #expect(result.status == .exited(3))
    #expect(result.errors.hasPrefix("workbench: The translations in /nowhere/Texts/zh-Hans cannot be read."))
  }

  @Test(arguments: ["C", "POSIX", "en_US", "de_DE.ISO-8859-1@euro"])
  func `a locale without UTF-8 gets signs in ASCII`(_ locale: String) async throws {
    let result = try await Command.run("doctor", environment: ["LC_ALL": locale])
    #expect(result.output.hasPrefix("+ libcurl: "), "\(result.output.prefix(40))")
    #expect(result.output.utf8.allSatisfy { $0 < 128 })
  }

  @Test(arguments: ["C.UTF-8", "en_US.utf8", "de_DE.UTF-8@euro"])
  func `a locale with UTF-8 gets the signs, unless the terminal is a dumb one`(_ locale: String) async throws {
    let result = try await Command.run("doctor", environment: ["LC_ALL": locale, "TERM": "xterm"])
    #expect(result.output.hasPrefix("✓ libcurl: "))
    let dumb = try await Command.run("doctor", environment: ["LC_ALL": locale, "TERM": "dumb"])
    #expect(dumb.output.hasPrefix("+ libcurl: "))
  }
}
