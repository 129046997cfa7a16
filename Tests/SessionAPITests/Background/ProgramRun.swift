// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import Glibc
import Locking
import TestSupport
import Testing

/// A place of its own for one test: an agent, its journals, and programs that use it.
final class BackgroundPlace: Sendable {
  let directory: TestDirectory
  let environment: [String: String]

  init(idleSeconds: Double = 0.3, variables: [String: String] = [:]) throws {
    directory = try TestDirectory()
    var environment = ProcessInfo.processInfo.environment
    environment["XDG_STATE_HOME"] = directory.url.path
    environment["XDG_RUNTIME_DIR"] = directory.url.path
    environment["WORKBENCH_TRANSFER_AGENT_IDLE"] = "\(idleSeconds)"
    self.environment = environment.merging(variables) { $1 }
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
  }

  var places: Places { Places(environment: environment) }
  /// Where programs move what has come.
  var files: URL { directory.url.appending(path: "files") }
  var log: String { (try? String(contentsOfFile: places.log, encoding: .utf8)) ?? "" }

  /// The agent that runs, by the lock that it holds.
  var agent: pid_t? {
    let descriptor = open(places.lock, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else { return nil }
    return AgentStatement(in: descriptor)?.process
  }

  /// From now on the kernel lets a process have as much of `resource` and no more; nil for as much as it may.
  static func limit(_ process: pid_t, _ resource: __rlimit_resource, to size: Int?) throws {
    typealias Call =
      @convention(c) (pid_t, CInt, UnsafePointer<rlimit>?, UnsafeMutablePointer<rlimit>?) -> CInt
    // The header shows prlimit(2) to GNU sources alone.
    let prlimit = unsafeBitCast(try #require(dlsym(nil, "prlimit")), to: Call.self)
    let number = CInt(resource.rawValue)
    var limit = rlimit()
    try #require(prlimit(process, number, nil, &limit) == 0)
    limit.rlim_cur = size.map { rlim_t($0) } ?? limit.rlim_max
    try #require(prlimit(process, number, &limit, nil) == 0)
  }

  /// Ends the agent as the kernel would, and waits until it is gone.
  @discardableResult
  func killAgent() async throws -> Bool {
    guard let agent else { return false }
    kill(agent, SIGKILL)
    try await agentEnds()
    return true
  }

  /// Waits until no agent runs.
  func agentEnds() async throws {
    let path = places.lock
    try await onThread {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return }
      flock(descriptor, LOCK_EX)
      close(descriptor)
    }
  }

  /// The sum of a file that a program has moved.
  func sum(of name: String) -> UInt64? {
    (try? Data(contentsOf: files.appending(path: name))).map { BodySum.of($0) }
  }
}

/// One life of the program with a background session.
final class ProgramRun: Sendable {
  let lines = EventLog<String>()
  let process: Process
  private let input = Pipe()

  /// The executable of this package that lies beside the tests.
  static func built(_ name: String) throws -> URL {
    let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: executable).deletingLastPathComponent().appending(path: name)
  }

  /// `agent` and `program` are executables that run in place of the agent and the program.
  init(
    _ place: BackgroundPlace, identifier: String = "test", urls: [URL], agent: String? = nil, program: URL? = nil,
    variables: [String: String] = [:]
  ) throws {
    process = Process()
    process.executableURL = try program ?? Self.built("BackgroundProgram")
    process.arguments = [identifier, place.files.path] + urls.map(\.absoluteString)
    process.environment = place.environment.merging(variables) { $1 }
    process.currentDirectoryURL = place.files
    if let agent { process.environment?["WORKBENCH_TRANSFER_AGENT"] = agent }
    process.standardOutput = input
    try process.run()
    let (lines, handle) = (lines, input.fileHandleForReading)
    Thread.detachNewThread {
      var rest = ""
      while case let data = handle.availableData, !data.isEmpty {
        rest += String(decoding: data, as: UTF8.self)
        var parts = rest.components(separatedBy: "\n")
        rest = parts.removeLast()
        for line in parts { lines.append(line) }
      }
      lines.append("end")
    }
  }

  /// Chooses the moment of a kill: waits for one to three more lines of the program, or its end, and then up to 40 ms, which is
  /// what a transfer takes. The pause is the thing under test: most moments of a transfer show nothing that a test could wait for.
  func moment(after known: [String], _ choice: inout SeededChoice) async throws -> [String] {
    let count = known.count + choice.number(below: 3)
    _ = try await lines.wait { $0.count > count || $0.last == "end" }
    let microseconds = UInt32(choice.number(below: 40_000))
    _ = try await onThread { usleep(microseconds) }
    return lines.all
  }

  /// Ends the program as the kernel would; returns its lines.
  @discardableResult
  func kill() async throws -> [String] {
    Glibc.kill(process.processIdentifier, SIGKILL)
    return try await ended()
  }

  /// Waits for the program's end; returns its lines.
  @discardableResult
  func ended() async throws -> [String] {
    let all = try await lines.wait { $0.last == "end" }
    process.waitUntilExit()
    return all
  }

  deinit {
    if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
  }
}
