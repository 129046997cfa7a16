// SPDX-License-Identifier: Apache-2.0
import Foundation
import Subprocess
import SystemPackage
import Testing

/// A person at a terminal of 24 lines and 80 columns, who reads what the workbench prints there and presses keys.
actor TerminalSession {
  private let keys: StandardInputWriter
  private let output: AsyncStream<String>
  /// What was printed and not yet read.
  private var unread = ""

  private init(_ keys: StandardInputWriter, _ output: AsyncStream<String>) {
    (self.keys, self.output) = (keys, output)
  }

  /// Starts the workbench there, or another program, and answers how it ended.
  @discardableResult
  static func run(
    _ arguments: String, program: String = Command.path.string, environment: [Environment.Key: String?] = [:],
    _ body: (TerminalSession) async throws -> Void
  ) async throws -> TerminationStatus {
    let line = "stty rows 24 cols 80; exec '\(program)' \(arguments)"
    let terminal: [Environment.Key: String?] = ["TERM": "xterm", "NO_COLOR": "1"]
    return try await Subprocess.run(
      .name("script"), arguments: ["-qec", line, "/dev/null"],
      environment: Command.environment(terminal.merging(environment) { $1 }),
      input: .inputWriter, output: .sequence, error: .discarded
    ) { execution in
      let (output, printed) = AsyncStream.makeStream(of: String.self)
      let session = TerminalSession(execution.standardInputWriter, output)
      let reading = Task {
        var bytes: [UInt8] = []
        for try await buffer in execution.standardOutput {
          bytes += buffer.withUnsafeBytes { Array($0) }
          // A piece may end within a character.
          guard let text = String(validating: bytes, as: UTF8.self) else { continue }
          printed.yield(text)
          bytes = []
        }
        printed.finish()
      }
      try await body(session)
      try await reading.value
      try? await execution.standardInputWriter.finish()
    }.terminationStatus
  }

  /// Reads until this text was printed, and answers what stood before it.
  @discardableResult
  func read(until text: String) async throws -> String {
    while true {
      if let range = unread.firstRange(of: text) {
        defer { unread = String(unread[range.upperBound...]) }
        return String(unread[..<range.lowerBound])
      }
      var next = output.makeAsyncIterator()
      guard let more = await next.next() else {
        Issue.record("“\(text)” was never printed; last came: \(unread)")
        throw CancellationError()
      }
      // By scalars: a carriage return and a line feed are one character.
      unread.unicodeScalars += more.unicodeScalars.filter { $0 != "\r" }
    }
  }

  /// Presses keys.
  func press(_ text: String) async throws { _ = try await keys.write(text) }
}
