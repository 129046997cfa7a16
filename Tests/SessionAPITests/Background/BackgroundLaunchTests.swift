// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import Glibc
import LessonServer
import Synchronization
import TestSupport
import Testing

@testable import SessionAPI

/// BG-60 and on: programs that the agent starts again when their tasks have ended.
@Suite(.exitTests, .serialized) struct BackgroundLaunchTests {
  /// A program that has asked to be started again, and was killed while its download waits at a gate.
  private final class Story: Sendable {
    let directory: TestDirectory
    let place: BackgroundPlace
    let server: LessonServer
    let url: URL
    let program: ProgramRun

    init(_ variables: [String: String] = ["BACKGROUND_LAUNCH": "1"], executable: URL? = nil) async throws {
      directory = try TestDirectory()
      let lines = directory.url.appending(path: "lines").path
      place = try BackgroundPlace(variables: variables.merging(["BACKGROUND_LINES": lines]) { $1 })
      server = LessonServer(routes: [PartRoutes.held("/file")])
      try server.start()
      url = try #require(URL(string: server.url("/file")))
      program = try ProgramRun(place, urls: [url], program: executable)
      _ = try await program.lines.wait { $0.contains { $0.hasPrefix("written") } }
    }

    /// The lines that all lives have said.
    var lines: [String] {
      let text = try? String(contentsOf: directory.url.appending(path: "lines"), encoding: .utf8)
      return (text ?? "").split(separator: "\n").map(String.init)
    }

    var lives: [String] { lines.filter { $0.hasPrefix("life") } }
  }

  @Test func `the program is started once, with its arguments, in its folder, and is given what has ended (BG-60)`()
    async throws
  {
    let story = try await Story()
    try await story.program.kill()
    story.server.open(gate: "rest")
    try await eventually { story.lines.contains("done") }
    try await story.place.agentEnds()
    #expect(story.lives.count == 2)
    #expect(Set(story.lives).count == 1)
    #expect(story.lives.last?.hasSuffix(" in \(story.place.files.path)") == true)
    let descriptors = story.lines.filter { $0.hasPrefix("descriptors") }
    // The third is the folder that is being read.
    #expect(descriptors.last == "descriptors [0, 1, 2, 3]")
    let events = story.lines.filter { ["file 0", "complete 0 0", "events", "done"].contains($0) }
    #expect(events == ["file 0", "complete 0 0", "events", "done"])
    #expect(story.place.sum(of: "0") == PartRoutes.checksum)
    #expect(story.place.log.contains("was started for 'test', whose tasks have ended."))
  }

  @Test func `a program that leaves without taking anything is not started a second time (BG-60)`() async throws {
    let story = try await Story(["BACKGROUND_LAUNCH": "1", "BACKGROUND_LEAVES": "1"])
    try await story.program.kill()
    story.server.open(gate: "rest")
    try await eventually { story.lives.count == 2 }
    try await story.place.agentEnds()
    // Nor by the next agent.
    let other = try ProgramRun(story.place, identifier: "other", urls: [])
    try await other.kill()
    try await story.place.agentEnds()
    #expect(story.lives.filter { $0.contains("\"test\"") }.count == 2)
  }

  @Test func `a program that has not asked, or is there, is not started (BG-61)`() async throws {
    let silent = try await Story([:])
    try await silent.program.kill()
    silent.server.open(gate: "rest")
    try await silent.place.agentEnds()
    #expect(silent.lives.count == 1)
    let present = try await Story()
    present.server.open(gate: "rest")
    try await present.program.ended()
    try await present.place.agentEnds()
    #expect(present.lives.count == 1)
    #expect(!(silent.place.log + present.place.log).contains("started"))
  }

  @Test func `a program that is gone is a sentence in the log (BG-62)`() async throws {
    let directory = try TestDirectory()
    let copy = directory.url.appending(path: "program")
    let built = try ProgramRun.built("BackgroundProgram")
    // A second name: a file that was just written cannot be executed while a child of another test holds it open.
    if link(built.path, copy.path) != 0 { try FileManager.default.copyItem(at: built, to: copy) }
    let agent = try ProgramRun.built("url-transfer-agent").path
    let story = try await Story(
      ["BACKGROUND_LAUNCH": "1", "WORKBENCH_TRANSFER_AGENT": agent], executable: copy)
    try await story.program.kill()
    try FileManager.default.removeItem(at: copy)
    story.server.open(gate: "rest")
    try await story.place.agentEnds()
    let sentence = "The program of 'test' is not started: '\(copy.path)' cannot be found: No such file or directory."
    #expect(story.place.log.contains(sentence))
    #expect(story.lives.count == 1)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/true"), "there is no /bin/true"))
  func `a program that root has installed is started (BG-62)`() async throws {
    let record = try #require(LaunchRecord(file: "/bin/true", path: "/bin/true", arguments: ["true"], folder: "/"))
    await #expect(processExitsWith: .success) { [record = record as LaunchRecord] in
      // Root becomes another user, who does not own the file.
      if geteuid() == 0 { #expect(setgroups(0, nil) == 0 && setgid(65_534) == 0 && setuid(65_534) == 0) }
      #expect(record.objection == nil)
    }
  }

  @Test func `the agent is found beside the program and on the path, where it can be trusted (BG-22)`() throws {
    let directory = try TestDirectory()
    let (beside, path) = (directory.url.appending(path: "beside"), directory.url.appending(path: "path"))
    for folder in [beside, path] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appending(path: "url-transfer-agent").path
      try Data().write(to: URL(filePath: file))
      try #require(chmod(file, 0o755) == 0)
    }
    let program = beside.appending(path: "program").path
    try Data().write(to: URL(filePath: program))
    let environment = ["PATH": "/nowhere:" + path.path]
    func find() throws -> String { try AgentStarter.find(environment, executable: program) }
    #expect(try find() == beside.path + "/url-transfer-agent")
    try #require(chmod(beside.path + "/url-transfer-agent", 0o777) == 0)
    #expect(try find() == path.path + "/url-transfer-agent")
    // A relative folder is another one wherever the program runs.
    let relative = String(repeating: "../", count: 64) + path.path.dropFirst()
    #expect(throws: TransferFault.self) { try AgentStarter.find(["PATH": relative], executable: program) }
    try FileManager.default.removeItem(at: path)
    let fault = #expect(throws: TransferFault.self) { try find() }
    #expect(fault?.description.hasSuffix("can be written by every user.") == true)
    guard geteuid() == 0 else { return }
    try #require(chmod(beside.path + "/url-transfer-agent", 0o755) == 0)
    try #require(chown(beside.path + "/url-transfer-agent", 65_534, 65_534) == 0)
    #expect(throws: TransferFault.self) { try find() }
    // That user could have changed the program itself.
    try #require(chown(program, 65_534, 65_534) == 0)
    #expect(try find() == beside.path + "/url-transfer-agent")
  }

  @Test func `where the agent cannot work, the program gets its reason, and starts no other (BG-22)`() async throws {
    await #expect(processExitsWith: .success) {
      setenv("XDG_STATE_HOME", "/dev/null/state", 1)
      let fault = #expect(throws: TransferFault.self) { try AgentStarter.start() }
      let reason = "'/dev/null/state/url-transfer-agent' cannot be made: Not a directory"
      #expect(fault?.description.hasPrefix(reason) == true, "\(fault?.description ?? "")")
    }
  }

  /// How many signals the handler of the test below has seen.
  private static let signals = Atomic(0)

  /// True if the kernel's table says of a thread that it sleeps (proc(5), `stat`).
  private static func sleeps(_ entry: String) -> Bool {
    let text = (try? String(contentsOfFile: entry + "/stat", encoding: .utf8)) ?? ""
    return text.split(separator: ")").last?.hasPrefix(" S") == true
  }

  @Test func `signals that the program handles do not end its wait for the agent (BG-22)`() async throws {
    await #expect(processExitsWith: .success) {
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      signal(SIGUSR2) { _ in BackgroundLaunchTests.signals.add(1, ordering: .relaxed) }
      // Dispatch blocks signals on its threads.
      var set = sigset_t()
      sigemptyset(&set)
      sigaddset(&set, SIGUSR2)
      pthread_sigmask(SIG_UNBLOCK, &set, nil)
      let (thread, writer) = (pthread_self(), ends[1])
      let entry = "/proc/" + (try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self"))
      Thread.detachNewThread {
        for count in 0..<10 {
          // Each signal meets the wait itself: the last one was handled, and the thread sleeps.
          while BackgroundLaunchTests.signals.load(ordering: .relaxed) < count || !BackgroundLaunchTests.sleeps(entry) {
            sched_yield()
          }
          pthread_kill(thread, SIGUSR2)
        }
        _ = write(writer, [1] as [UInt8], 1)
      }
      #expect(AgentStarter.canRead(ends[0], within: 60_000))
      #expect(!AgentStarter.canRead(ends[1], within: 1))
    }
  }

  @Test func `another file, one with rights of its own, or another user's is not started (BG-62)`() throws {
    let directory = try TestDirectory()
    let file = directory.url.appending(path: "program")
    try FileManager.default.copyItem(atPath: "/bin/true", toPath: file.path)
    try #require(chmod(file.path, 0o755) == 0)
    let path = file.path
    var record = try #require(LaunchRecord(file: path, path: path, arguments: ["program"], folder: "/nowhere"))
    #expect(record.objection == nil)
    let fault = #expect(throws: TransferFault.self) { try record.start(mask: 0o022) }
    #expect(fault?.description.contains("in '/nowhere': No such file or directory") == true)
    for mode in [0o4755, 0o2755] as [mode_t] {
      try #require(chmod(file.path, mode) == 0)
      #expect(record.objection?.contains("setuid") == true)
    }
    try #require(chmod(file.path, 0o644) == 0)
    #expect(record.objection?.contains("cannot be executed") == true)
    try #require(chmod(file.path, 0o755) == 0)
    if geteuid() == 0 {
      try #require(chown(file.path, 65_534, 65_534) == 0)
      #expect(record.objection?.contains("belongs to another user") == true)
      try #require(chown(file.path, 0, 0) == 0)
    }
    try #require(chmod(file.path, 0o757) == 0)
    #expect(record.objection?.contains("can be written by every user") == true)
    try #require(chmod(file.path, 0o755) == 0)
    record.number += 1
    #expect(record.objection?.contains("is another file") == true)
  }
}
