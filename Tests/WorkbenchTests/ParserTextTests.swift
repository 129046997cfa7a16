// SPDX-License-Identifier: Apache-2.0
import Foundation
import Subprocess
import Testing

/// Help and errors of the argument parser in Chinese.
@Suite(.timeLimit(.minutes(2))) struct ParserTextTests {
  /// A command with its help, as the parser tells the manual's generator.
  private struct Tool: Decodable {
    struct Argument: Decodable {
      var abstract: String?
      var shouldDisplay: Bool
    }

    struct Command: Decodable {
      var commandName: String
      var abstract: String?
      var discussion: String?
      var arguments: [Argument]?
      var subcommands: [Command]?
      var shouldDisplay: Bool?

      /// This command and those below it, each with the words that call it.
      func all(_ path: [String] = []) -> [(path: [String], command: Command)] {
        [(path, self)]
          + (subcommands ?? []).filter { $0.commandName != "help" }.flatMap { $0.all(path + [$0.commandName]) }
      }

      /// The lines of our own in its help.
      var lines: [String] {
        let texts = [abstract, discussion] + (subcommands ?? []).filter { $0.shouldDisplay ?? true }.map(\.abstract)
        let all = texts + (arguments ?? []).filter(\.shouldDisplay).map(\.abstract)
        return all.compactMap { $0 }.flatMap { $0.split(separator: "\n").map(String.init) }.filter {
          !$0.hasPrefix(" ")
        }
      }
    }

    var command: Command
  }

  private static func help(_ path: [String], columns: Int = 4000) async throws -> String {
    let chinese = try await Command.run(
      path + ["--help"], environment: ["LC_ALL": "zh_CN.UTF-8", "COLUMNS": "\(columns)"])
    #expect(chinese.status == .exited(0) && chinese.errors.isEmpty)
    return chinese.output
  }

  private static func columns(_ line: Substring) -> Int {
    line.unicodeScalars.reduce(0) { $0 + ($1.value < 0x2E80 ? 1 : 2) }
  }

  @Test func `every command's help in Chinese has no sentence in English`() async throws {
    let dump = try await Command.run("--experimental-dump-help", environment: ["LC_ALL": "zh_CN.UTF-8"])
    let tool = try JSONDecoder().decode(Tool.self, from: Data(dump.output.utf8))
    let commands = tool.command.all()
    #expect(commands.count > 25)
    let own = [
      "OVERVIEW", "USAGE", "ARGUMENTS", "OPTIONS", "SUBCOMMANDS", "(values: ", "default: ", "for detailed help",
    ]
    for (path, command) in commands {
      let help = try await Self.help(path)
      #expect(help.hasPrefix("概述：") && help.contains("\n用法：workbench ") && help.contains("显示帮助。"), "\(path)")
      for text in own + command.lines { #expect(!help.contains(text), "\(path.joined(separator: " ")): \(text)") }
      let examples = (command.discussion ?? "").split(separator: "\n").filter { $0.hasPrefix("  ") }
      for example in examples { #expect(help.contains(example), "\(path): \(example)") }
    }
  }

  @Test(arguments: [40, 80, 160])
  func `it fits the terminal`(_ width: Int) async throws {
    for path in [[], ["run"], ["show"], ["exercise", "check"]] {
      let lines = try await Self.help(path, columns: width).split(separator: "\n")
      // Commands and names are not broken.
      let prose = lines.filter { !$0.hasPrefix("  workbench ") && !$0.contains("<") && !$0.contains("“workbench ") }
      #expect(prose.allSatisfy { Self.columns($0) <= max(width, 46) }, "\(path) \(lines.joined(separator: "\n"))")
    }
  }

  @Test(arguments: [
    ("show", "错误：缺少参数“<lesson>”\n说明：<lesson>  课：lesson-05、"),
    ("show 5 --langage zh", "错误：没有选项“--langage”。你想用的是不是“--language”？\n用法：workbench show <lesson>"),
    ("show 5 --frobnicate", "错误：没有选项“--frobnicate”\n用法：workbench show"),
    ("run 5 --side middle", "错误：值“middle”不能用于“--side <side>”。可用的有：'connection'、'session'。\n说明：--side <side>"),
    ("run 5 --size 0", "错误：值“0”不能用于“--size <size>”：请给出 1 B 到 1 TiB 的大小，"),
    ("run", "错误：请给出一课，例如 5，或者加上 --all。\n用法：workbench run"),
    ("run 5 --all", "错误：请给出课，或者加上 --all，不能两样都给。"),
    ("list extra", "错误：多余的参数“extra”"), ("list a b", "错误：2 个多余的参数：'a'、'b'"),
    ("list --color", "错误：“--color <color>”缺少值"), ("list --json=3", "错误：选项“--json”不带值，却给了“3”。"),
  ])
  func `what is wrong with a command line is said in Chinese`(_ line: String, _ start: String) async throws {
    let result = try await Command.run(
      line.split(separator: " ").map(String.init), environment: ["LC_ALL": "zh_CN.UTF-8", "COLUMNS": "200"])
    #expect(result.status == .exited(64) && result.output.isEmpty)
    #expect(result.errors.hasPrefix(start), "\(result.errors)")
    #expect(result.errors.contains("--help”可以查看更多说明。"))
  }

  @Test func `a language before the command, or for the help of all, counts as well`() async throws {
    let first = try await Command.run("--language", "zh-Hans")
    #expect(first.status == .exited(0) && first.output.hasPrefix("概述：") && first.output.contains("子命令："))
    let help = try await Command.run("help", "exercise", "check", "--language=zh")
    #expect(help.output.hasPrefix("概述：编译并运行你的程序"), "\(help.output)\(help.errors)")
    let before = try await Command.run("--language", "zh", "list")
    #expect(before.output == (try await Command.run("list", "--language", "zh")).output)
    #expect(try await Command.run("--language=zh", "lst").errors.contains("没有“lst”这个命令"))
  }

  @Test func `completions and the manual's data are the same in every language`() async throws {
    for option in ["--generate-completion-script=bash", "--experimental-dump-help", "--version"] {
      let chinese = try await Command.run(option, environment: ["LC_ALL": "zh_CN.UTF-8"])
      #expect(chinese.output == (try await Command.run(option)).output && !chinese.output.isEmpty)
    }
  }
}
