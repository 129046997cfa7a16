// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LessonServer
import Lessons

/// `workbench server`
struct ServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "server", abstract: "Run the lesson server alone, to try with curl or any client. Ctrl-C ends it.",
    discussion: """
      It listens on 127.0.0.1 only.

      Examples:
        workbench server --port 8080
        workbench server --routes
      """)

  @Option(help: "The port; left out, the system chooses a free one.") var port: UInt16 = 0
  @Flag(help: "Print the routes and end.") var routes = false

  func run() async throws {
    try await ExitStatus.guarding {
      if routes {
        let width = (Route.standard.map(\.path.count).max() ?? 0) + 2
        let lines = Route.standard.map { $0.path.padded(to: width) + $0.summary + "\n" }
        return try Terminal.show(lines.joined())
      }
      LessonServer.raiseFileLimit()
      let server = LessonServer(port: port)
      try server.start()
      try await Interruption.cancelling {
        try Terminal.show("\(server.url("/"))\n")
        try await Task.sleep(for: .seconds(60 * 60 * 24 * 365))
      }
    }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }
}
