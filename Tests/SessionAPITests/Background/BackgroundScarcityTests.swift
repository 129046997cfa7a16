// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Dispatch
import Foundation
import Glibc
import LessonServer
import TestSupport
import Testing

@testable import SessionAPI

/// BG-26 and on: an agent without descriptors, and what it must not lose for that.
@Suite(.exitTests, .serialized) struct BackgroundScarcityTests {
  /// The numbers of a process's open descriptors.
  private static func descriptors(of process: pid_t) throws -> Set<Int> {
    Set(try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").compactMap { Int($0) })
  }

  /// Seconds of processor time that a process has used.
  private static func processorTime(of process: pid_t) throws -> Double {
    let fields = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8).split(separator: " ")
    return Double(try #require(Int(fields[13])) + (try #require(Int(fields[14])))) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  @Test func `an agent that has no descriptor for a connection waits without work, and takes it later (BG-26)`()
    async throws
  {
    let bench = try await BackgroundBench()
    let agent = try #require(bench.place.agent)
    func refusals() -> Int { bench.place.log.components(separatedBy: "No connection can be taken").count - 1 }
    try BackgroundPlace.limit(agent, RLIMIT_NOFILE, to: 0)
    let connection = try UnixSocket.connect(to: bench.place.places.socket)
    defer { close(connection) }
    try await eventually { refusals() > 0 }
    let before = try Self.processorTime(of: agent)
    try await eventually { refusals() > 2 }
    #expect(try Self.processorTime(of: agent) - before < 0.3, "in a second at least")
    try BackgroundPlace.limit(agent, RLIMIT_NOFILE, to: nil)
    try await bench.isUnharmed()
  }

  @Test func `a journal that cannot be opened for a while is not set aside (BG-27)`() async throws {
    let bench = try await BackgroundBench()
    let agent = try #require(bench.place.agent)
    let folder = bench.place.places.folder(of: "other")
    var journal = Journal(
      identifier: "other",
      settings: try #require(try Journal(in: bench.place.places.folder(of: "test")) { _ in }).settings)
    let request = RequestRecord(url: bench.url, method: "GET", fields: [:], timeout: 3_600, body: nil)
    var task = TransferRecord(key: UUID(), number: 7, request: request, upload: nil, created: Date())
    (task.description, task.isSuspended) = ("kept", true)
    journal.tasks[task.key] = task
    try Places.makePrivate(folder.path)
    try journal.save(in: folder)
    // Room for the connection and for what watches it, and for nothing else.
    let open = try Self.descriptors(of: agent)
    let free = (0...open.count + 3).filter { !open.contains($0) }
    try BackgroundPlace.limit(agent, RLIMIT_NOFILE, to: free[2])
    let early = try ProgramRun(bench.place, identifier: "other", urls: [bench.url])
    _ = try await early.lines.wait { $0.contains { $0.hasPrefix("reason") } }
    let lines = try await early.kill()
    #expect(lines.contains("complete 0 -997"))
    #expect(lines.contains { $0.contains("cannot be read: Too many open files") }, "\(lines)")
    #expect(try Journal(in: folder) { _ in } == journal)
    try BackgroundPlace.limit(agent, RLIMIT_NOFILE, to: nil)
    let late = try ProgramRun(bench.place, identifier: "other", urls: [])
    _ = try await late.lines.wait { $0.contains("ready") }
    #expect(try await late.kill().contains("found kept 7"))
    try await bench.isUnharmed()
  }

  @Test func `what cannot be read now is told from what is no journal (BG-27)`() async throws {
    let directory = try TestDirectory()
    let place = directory.url.appending(path: Journal.name)
    try Data("nonsense\n".utf8).write(to: place)
    let damaged = #expect(throws: TransferFault.self) { try Journal(in: directory.url) { _ in } }
    #expect(damaged?.isPassing == false)
    try FileManager.default.removeItem(at: place)
    try FileManager.default.createSymbolicLink(atPath: place.path, withDestinationPath: "/dev/null")
    let linked = #expect(throws: TransferFault.self) { try Journal(in: directory.url) { _ in } }
    #expect(linked?.isPassing == false)
  }

  @Test func `a connection keeps an agent that was about to end (BG-28)`() async throws {
    let server = LessonServer(routes: [Route("/ok", script: .response(.text("ok")))])
    try server.start()
    let place = try BackgroundPlace(idleSeconds: 1.5)
    _ = try await ProgramRun(place, urls: [try #require(URL(string: server.url("/ok")))]).ended()
    let connection = try UnixSocket.connect(to: place.places.socket)
    // Nothing happens for longer than the agent waits without work.
    #expect(try await onThread { !isReadable(connection, within: 4) })
    close(connection)
    try await place.agentEnds()
  }

  @Test func `a connection that cannot be watched ends with a fault, and its socket is closed (BG-29)`() async throws {
    await #expect(processExitsWith: .success) {
      var ends: [Int32] = [-1, -1]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      let faults = EventLog<String>()
      let queue = DispatchQueue(label: "channel")
      let channel = Channel(ends[0], queue: queue)
      var limit = rlimit()
      try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      let whole = limit.rlim_cur
      limit.rlim_cur = 0
      queue.sync {
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        channel.open(onMessage: { _ in }, onEnd: { faults.append($0?.description ?? "none") })
        limit.rlim_cur = whole
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      }
      let told = try await faults.wait { !$0.isEmpty }
      #expect(told == ["A connection cannot be watched: Too many open files"])
      var byte: UInt8 = 0
      #expect(recv(ends[1], &byte, 1, 0) == 0)
    }
  }

  @Test func `a session finds tasks whose requests are longer than a message (BG-15)`() async throws {
    let server = LessonServer(routes: [Route("/held", script: [.gate("never")])])
    try server.start()
    let identifier = UUID().uuidString
    let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
    let recorder = Recorder()
    let first = URLSession(configuration: configuration, delegate: recorder, delegateQueue: nil)
    var request = URLRequest(url: try #require(URL(string: server.url("/held"))))
    (request.httpMethod, request.httpBody) = ("POST", Data(repeating: 0xFF, count: 2_200_000))
    for _ in 0..<3 { first.downloadTask(with: request).resume() }
    #expect(try await onThread { server.log.waitForRequests(3, within: .seconds(TestMachine.patience)) })
    let second = URLSession(configuration: configuration, delegate: Recorder(), delegateQueue: nil)
    #expect(await second.allTasks.map { $0.originalRequest?.httpBody?.count } == [2_200_000, 2_200_000, 2_200_000])
    second.invalidateAndCancel()
    try await recorder.log.wait { $0.ends == 3 }
    first.invalidateAndCancel()
  }
}
