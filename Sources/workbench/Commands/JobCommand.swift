// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Glibc
import LessonKit
import Lessons
import Pages

/// `workbench _job`: what `serve` starts for a run or a check. It says on standard output how it goes, a line of JSON each
/// time, and ends with its parent, which holds its standard input open.
struct JobCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "_job", abstract: "Do what a page of `serve` asked for.",
    discussion: "Example:\n  workbench _job JSON", shouldDisplay: false)

  @Argument(help: "The order, as JSON.") var order: String

  func run() async throws {
    try await ExitStatus.guarding {
      guard let order = try? JSONDecoder().decode(JobRequest.self, from: Data(order.utf8)) else {
        throw ExitStatus.usage
      }
      let work = JobWork(lessons: Course.catalog.lessons, version: Version.text) { event in
        // An event is of texts and numbers, which always encode; a parent that is gone ends this process another way.
        guard let line = try? JSONEncoder().encode(event) else { return }
        try? Terminal.show(String(decoding: line, as: UTF8.self) + "\n")
      }
      try await Interruption.cancelling {
        Self.endWithParent()
        try await work.run(order)
      }
    }
  }

  /// Standard input ends when the parent does, however that came about; the work ends then as by Ctrl-C.
  static func endWithParent() {
    Thread.detachNewThread {
      var byte: UInt8 = 0
      while read(STDIN_FILENO, &byte, 1) > 0 {}
      kill(getpid(), SIGTERM)
    }
  }
}
