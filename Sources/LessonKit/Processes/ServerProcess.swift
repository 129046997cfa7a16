// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonServer
import Subprocess
import SystemPackage

/// The lesson server as a process of its own, seen from its parent. It belongs to the one task that uses it.
final class ServerProcess {
  /// The longest line that is read: a log has a third of it.
  private static let longest = 64 << 20

  /// The port it listens on.
  private(set) var port: UInt16 = 0
  /// The ports it speaks TLS on, by the certificate it shows there.
  private(set) var securePorts: [String: UInt16] = [:]
  /// The authority of the trusted certificate, in PEM.
  private(set) var authority = ""
  private var output: SubprocessOutputSequence.AsyncIterator
  /// The bytes that were read and are no whole line yet.
  private var rest: [UInt8] = []
  private let writer: StandardInputWriter
  /// The process's id.
  let pid: pid_t

  private init(_ output: SubprocessOutputSequence.AsyncIterator, writer: StandardInputWriter, pid: pid_t) {
    (self.output, self.writer, self.pid) = (output, writer, pid)
  }

  /// Starts a server, lends it to `body` once it listens, and ends it when `body` has returned or thrown.
  ///
  /// - Throws: what `body` throws; `LessonKitError` with code `environment` when it cannot be started or listen.
  static func use<Result: Sendable>(
    executable: String, _ body: (ServerProcess) async throws -> Result
  ) async throws -> Result {
    do {
      return try await Subprocess.run(
        .path(FilePath(executable)), arguments: [ChildCommands.server], platformOptions: .child,
        input: .inputWriter, output: .sequence, error: .currentStandardError
      ) { execution in
        let server = ServerProcess(
          execution.standardOutput.makeAsyncIterator(), writer: execution.standardInputWriter,
          pid: execution.processIdentifier.value)
        try await server.waitUntilListening()
        do {
          let value = try await body(server)
          try? await execution.standardInputWriter.finish()
          return value
        } catch {
          await execution.teardown(using: PlatformOptions.child.teardownSequence)
          throw error
        }
      }.closureResult
    } catch let error as SubprocessError {
      try Task.checkCancellation()
      throw LessonKitError(.environment, "The lesson server's process could not be run from \(executable): \(error).")
    }
  }

  /// Starts so many servers, lends them to `body`, and ends them; else as the one above.
  static func use<Result: Sendable>(
    _ count: Int, executable: String, _ body: ([ServerProcess]) async throws -> Result
  ) async throws -> Result {
    try await use(executable: executable) { first in
      guard count > 1 else { return try await body([first]) }
      return try await use(count - 1, executable: executable) { others in try await body([first] + others) }
    }
  }

  /// Lets a token in an address stand for the content of `seed`, from now on.
  ///
  /// - Throws: `LessonKitError` with code `serverLost` when the server does not answer.
  func hide(_ seed: UInt64, behind token: UInt64) async throws {
    guard case .hidden = try await ask(ServerChild.hide(seed, behind: token)) else { throw Self.lost }
  }

  /// Takes the server's log since it was last asked; requests under way are waited for up to a second.
  ///
  /// - Throws: `LessonKitError` with code `serverLost` when it does not answer.
  func takeLog() async throws -> ServerLogSnapshot {
    guard case .log(let snapshot) = try await ask(ServerChild.take) else { throw Self.lost }
    return snapshot
  }

  private func ask(_ question: String) async throws -> ServerChild.Message? {
    do {
      _ = try await writer.write(question + "\n")
    } catch {
      try Task.checkCancellation()
      throw Self.lost
    }
    return try await next()
  }

  private func waitUntilListening() async throws {
    switch try await next() {
    case .listening(let port, let secure, let authority):
      (self.port, securePorts, self.authority) = (port, secure, authority)
    case .failed(let why): throw LessonKitError(.environment, Phrase(verbatim: why))
    default: throw Self.lost
    }
  }

  private func next() async throws -> ServerChild.Message? {
    let line = try await line()
    return try? JSONDecoder().decode(ServerChild.Message.self, from: VisibleText.json(Data(line)))
  }

  /// The next line, without its end. The bytes are searched once each: a log of thousands of requests is one line.
  private func line() async throws -> [UInt8] {
    var searched = 0
    while true {
      if let end = rest[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest.removeSubrange(...end) }
        return Array(rest[..<end])
      }
      searched = rest.count
      guard searched <= Self.longest, let buffer = try await output.next() else {
        try Task.checkCancellation()
        throw Self.lost
      }
      buffer.withUnsafeBytes { rest.append(contentsOf: $0) }
    }
  }

  private static var lost: LessonKitError {
    LessonKitError(
      .serverLost,
      "The lesson server's process has ended in the middle of the run. Something outside of the workbench ended it; "
        + "run the lesson again.")
  }
}
