// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import Glibc
import LessonServer
import TestSupport
import Testing
import URLLoading

@testable import SessionAPI

/// BG-20 and on: an agent among clients and journals that are not what they should be.
@Suite(.exitTests, .serialized) struct BackgroundHostileTests {
  @Test func `garbage, endless lengths and orders without a session are refused, and the agent lives (BG-20)`()
    async throws
  {
    let bench = try await BackgroundBench()
    let stranger = try FrameReader.frame(Talk.encode(ClientMessage.cancel(UUID())))
    let other = try FrameReader.frame(Data("{\"version\":99,\"message\":{}}".utf8))
    for bytes in [Data(repeating: 0xFF, count: 64), try FrameReader.frame(Data("garbage".utf8)), stranger, other] {
      let answer = try await bench.speak(bytes)
      #expect(!answer.contains(Data("file".utf8)))
    }
    // Half a message, and the end.
    let path = bench.place.places.socket
    let descriptor = try UnixSocket.connect(to: path)
    _ = send(descriptor, [0, 0, 1] as [UInt8], 3, Int32(MSG_NOSIGNAL))
    close(descriptor)
    try await bench.isUnharmed()
    #expect(bench.place.log.contains("too long"))
    #expect(bench.place.log.contains("version 99"))
    #expect(bench.place.log.contains("something else than its session"))
  }

  @Test func `a second program with the identifier is refused with −996 (BG-21)`() async throws {
    let bench = try await BackgroundBench()
    let second = try ProgramRun(bench.place, urls: [bench.url, bench.url])
    _ = try await second.lines.wait { $0.count { $0.hasPrefix("complete") } == 2 }
    let lines = try await second.kill()
    #expect(lines.filter { $0.hasPrefix("complete") } == ["complete 0 -996", "complete 1 -996"])
    #expect(!lines.contains { $0.hasPrefix("found") })
    try await bench.isUnharmed()
  }

  @Test func `without the agent's program a task fails, and says how to get it (BG-22)`() async throws {
    let place = try BackgroundPlace()
    let url = try #require(URL(string: "http://127.0.0.1:1/"))
    let program = try ProgramRun(place, urls: [url], agent: "/nowhere/url-transfer-agent")
    _ = try await program.lines.wait { $0.contains { $0.hasPrefix("reason") } }
    let lines = try await program.kill()
    #expect(lines.contains("complete 0 -997"))
    #expect(lines.contains { $0.hasPrefix("reason") && $0.contains("WORKBENCH_TRANSFER_AGENT") })
  }

  @Test func `a journal with damaged lines costs those tasks alone, and one of a later version is kept aside (BG-23)`()
    async throws
  {
    let bench = try await BackgroundBench()
    try await bench.program.kill()
    try await bench.place.killAgent()
    let folder = bench.place.places.folder(of: "test")
    let journal = folder.appending(path: Journal.name)
    try (try Data(contentsOf: journal) + Data("{\"key\":1}\nnonsense\n".utf8)).write(to: journal)
    let second = try ProgramRun(bench.place, urls: [bench.url])
    let lines = try await second.ended()
    #expect(lines.count { $0 == "file 0" } == 1)
    #expect(bench.place.sum(of: "0") == PartRoutes.checksum)
    #expect(bench.place.log.contains("cannot be read; its task is lost"))
    try await bench.place.agentEnds()
    bench.server.open(gate: "rest")
    for life in 1...2 {
      try Places.makePrivate(folder.path)
      try Data("{\"version\":7,\"life\":\(life)}\n".utf8).write(to: journal)
      try Data("finished".utf8).write(to: folder.appending(path: "CFNetworkDownload_finish.tmp"))
      try FileManager.default.removeItem(at: bench.place.files.appending(path: "0"))
      _ = try await ProgramRun(bench.place, urls: [bench.url]).ended()
      #expect(bench.place.sum(of: "0") == PartRoutes.checksum)
      try await bench.place.agentEnds()
    }
    #expect(bench.place.log.contains("begins anew"))
    // Both are whole: what the later version had finished may be read by it again.
    let state = bench.place.places.state
    let kept = try FileManager.default.contentsOfDirectory(atPath: state.path).filter { $0.hasPrefix("unreadable-") }
    #expect(kept.count == 2)
    for name in kept {
      let files = try FileManager.default.contentsOfDirectory(atPath: state.appending(path: name).path)
      #expect(files.sorted() == ["CFNetworkDownload_finish.tmp", Journal.name])
    }
  }

  @Test func `an agent whose socket has vanished listens again when it is wanted (BG-24)`() async throws {
    let bench = try await BackgroundBench()
    try await bench.program.kill()
    try FileManager.default.removeItem(atPath: bench.place.places.socket)
    let agent = bench.place.agent
    bench.server.open(gate: "rest")
    let second = try ProgramRun(bench.place, urls: [bench.url])
    _ = try await second.ended()
    #expect(agent != nil)
    #expect(bench.place.sum(of: "0") == PartRoutes.checksum)
    #expect(bench.server.log.snapshot().requests(for: "/file").count == 1)
    try await bench.place.agentEnds()
  }

  @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
  func `a connection between two users is refused on either side (BG-25)`() async throws {
    let bench = try await BackgroundBench()
    let socket = bench.place.places.socket
    let (folder, name) = ((socket as NSString).deletingLastPathComponent, (socket as NSString).lastPathComponent)
    // The folder's mode alone would keep the other user away.
    #expect(chmod(folder, 0o711) == 0 && chmod(socket, 0o666) == 0)
    await #expect(processExitsWith: .success) { [folder = folder as String, name = name as String] in
      #expect(chdir(folder) == 0)
      #expect(setgroups(0, nil) == 0 && setgid(65_534) == 0 && setuid(65_534) == 0)
      let fault = #expect(throws: TransferFault.self) { try UnixSocket.connect(to: name) }
      #expect(fault?.description == "The agent at '\(name)' belongs to another user.")
    }
    #expect(chmod(folder, 0o700) == 0 && chmod(socket, 0o600) == 0)
    try await bench.isUnharmed()
    #expect(bench.place.log.contains("A connection of another user, or one too many, was refused."))
  }

  @Test func `a journal with numbers and names that lead nowhere harms nothing (BG-49)`() async throws {
    let bench = try await BackgroundBench()
    try await bench.program.kill()
    try await bench.place.killAgent()
    let folder = bench.place.places.folder(of: "test")
    let victim = bench.place.directory.url.appending(path: "victim")
    try Data("kept".utf8).write(to: victim)
    var journal = try #require(try Journal(in: folder, note: { _ in }))
    for (number, name) in ["../../victim", "..", "/etc/hostname", ""].enumerated() {
      var task = TalkClient.task(bench.url)
      task.number = 100 + number
      task.outcome = TransferOutcome(order: .max, file: name, response: nil, url: bench.url, failure: nil)
      journal.tasks[task.key] = task
    }
    journal.launched = .max
    try journal.save(in: folder)
    bench.server.open(gate: "rest")
    _ = try await ProgramRun(bench.place, urls: [bench.url]).ended()
    #expect(bench.place.sum(of: "0") == PartRoutes.checksum)
    try await bench.place.agentEnds()
    #expect(try String(contentsOf: victim, encoding: .utf8) == "kept")
    #expect(!bench.place.log.contains("Fatal"))
  }

  @Test func `an outcome whose file is a link, or has a name that is refused, is an error (BG-49)`() async throws {
    let bench = try await BackgroundBench()
    try await bench.program.kill()
    try await bench.place.killAgent()
    let folder = bench.place.places.folder(of: "test")
    let victim = bench.place.directory.url.appending(path: "victim")
    try Data("kept".utf8).write(to: victim)
    var journal = try #require(try Journal(in: folder, note: { _ in }))
    for (number, name) in ["link", "../../victim"].enumerated() {
      var task = TalkClient.task(bench.url)
      (task.number, task.description) = (100 + number, name)
      task.outcome = TransferOutcome(order: number, file: name, response: nil, url: bench.url, failure: nil)
      journal.tasks[task.key] = task
    }
    try FileManager.default.createSymbolicLink(at: folder.appending(path: "link"), withDestinationURL: victim)
    try journal.save(in: folder)
    bench.server.open(gate: "rest")
    let lines = try await ProgramRun(bench.place, urls: [bench.url]).ended()
    #expect(lines.contains("complete link -3001") && lines.contains("complete ../../victim -3001"))
    #expect(!lines.contains { $0.hasPrefix("file link") || $0.hasPrefix("lost link") })
    try await bench.place.agentEnds()
    #expect(try String(contentsOf: victim, encoding: .utf8) == "kept")
  }

  @Test func `the log begins anew when it has become long, while the agent runs (BG-49)`() async throws {
    let bench = try await BackgroundBench()
    let log = try FileHandle(forWritingTo: URL(filePath: bench.place.places.log))
    try log.seekToEnd()
    try log.write(contentsOf: Data(repeating: 10, count: 2 << 20))
    _ = try await bench.speak(try FrameReader.frame(Data("garbage".utf8)))
    #expect(bench.place.log.utf8.count < 1_000)
    #expect(bench.place.log.contains("A message is no JSON with a version."))
    try await bench.isUnharmed()
  }

  @Test func `a file that the disk does not take is told from one that is there (BG-49)`() throws {
    let directory = try TestDirectory()
    let file = directory.url.appending(path: "file")
    #expect(DiskFile.sync(file.path) == ENOENT)
    try Data("a".utf8).write(to: file)
    #expect(DiskFile.sync(file.path) == 0)
    // A device that has no disk.
    #expect(DiskFile.sync("/dev/null") == EINVAL)
  }

  @Test func `a session's new settings are in its journal, whatever becomes of the agent (BG-49)`() async throws {
    let bench = try await BackgroundBench()
    try await bench.program.kill()
    var settings = TalkClient.settings
    settings.wire.idleTimeout = 77
    let client = try await TalkClient(bench.place, identifier: "test", settings)
    let folder = bench.place.places.folder(of: "test")
    try await eventually { (try? Journal(in: folder, note: { _ in }))??.settings.wire.idleTimeout == 77 }
    client.close()
    bench.server.open(gate: "rest")
    _ = try await ProgramRun(bench.place, urls: [bench.url]).ended()
    try await bench.place.agentEnds()
  }

  @Test func `garbage after a valid greeting, and too many strangers, end those connections alone (BG-20)`()
    async throws
  {
    let bench = try await BackgroundBench()
    let hello = ClientMessage.hello(identifier: "other", settings: TalkClient.settings)
    let answer = try await bench.speak(
      try FrameReader.frame(Talk.encode(hello)) + FrameReader.frame(Data("garbage".utf8)))
    #expect(answer.contains(Data("welcome".utf8)))
    let strangers = try (0..<64).map { _ in try bench.place.places.connect() }
    _ = try await bench.speak(Data())
    #expect(bench.place.log.contains("one too many"))
    for stranger in strangers { close(stranger) }
    try await bench.isUnharmed()
  }

  @Test func `a folder that others can enter, or a link in its place, is not used (BG-44)`() throws {
    let directory = try TestDirectory()
    let folder = directory.url.appending(path: "state").path
    try Places.makePrivate(folder)
    try #require(chmod(folder, 0o755) == 0)
    #expect(throws: TransferFault.self) { try Places.makePrivate(folder) }
    try #require(chmod(folder, 0o700) == 0)
    try Places.makePrivate(folder)
    let link = directory.url.appending(path: "link").path
    try #require(symlink(folder, link) == 0)
    #expect(throws: TransferFault.self) { try Places.makePrivate(link) }
  }
}
