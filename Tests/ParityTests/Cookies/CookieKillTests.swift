// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Glibc
import SessionAPI
import TestSupport
import Testing

/// CK-11: two processes that store cookies in one file, and are killed while they do. A few pairs in every run, 100 with
/// `WORKBENCH_ALL_KILLS`. The times at which a process stores and dies are what is tested, so it sleeps between.
@Suite(.exitTests, .enabled(if: !TestMachine.isSanitized)) struct CookieKillTests {
  private static let pairs = ProcessInfo.processInfo.environment["WORKBENCH_ALL_KILLS"] == nil ? 4 : 100
  /// A cookie that was told as stored so long ago is on the disk.
  private static let stored: Int64 = 200_000_000

  @Test func `of two processes that are killed while they store no cookie is lost that was set 0.2 s before (CK-11)`()
    async throws
  {
    var choice = SeededChoice(seed: 1)
    for pair in 1...Self.pairs {
      let home = try TestDirectory()
      let lives = ["a", "b"].map { (name: $0, milliseconds: 250 + choice.number(below: 500)) }
      await withTaskGroup { group in
        for life in lives {
          group.addTask { await Self.kill(life.name, after: life.milliseconds, in: home.url.path) }
        }
      }
      let wanted = try lives.flatMap { try Self.due($0.name, in: home.url) }
      let found = try await Self.found(in: home.url)
      let lost = Set(wanted).subtracting(found)
      if !lost.isEmpty || wanted.isEmpty {
        Issue.record("pair \(pair), \(lives): \(wanted.count) were due, lost: \(lost.sorted())")
      }
    }
  }

  /// A process that stores one cookie after the other, notes each with the time, and is killed.
  private static func kill(_ name: String, after milliseconds: Int, in home: String) async {
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [name = name as String, milliseconds = milliseconds as Int, home = home as String] in
      setenv("XDG_DATA_HOME", home, 1)
      let log = open("\(home)/\(name).log", O_WRONLY | O_CREAT | O_APPEND, 0o600)
      let storage = HTTPCookieStorage.shared
      Thread.detachNewThread {
        // The moment of the kill is the input of this test: no event marks it.
        usleep(UInt32(milliseconds) * 1000)
        CookieKillTests.note("end", log)
        _ = Glibc.kill(getpid(), SIGKILL)
      }
      for number in 0..<40 {
        let properties: [HTTPCookiePropertyKey: Any] = [
          .name: "c\(number)", .value: "1", .domain: "\(name).test", .path: "/",
          .expires: Date(timeIntervalSinceNow: 3600),
        ]
        HTTPCookie(properties: properties).map(storage.setCookie)
        CookieKillTests.note("c\(number)", log)
        // Spreads the cookies over the life of the process, so that kills hit young and old ones; nothing waits for it.
        usleep(10_000)
      }
      while true { pause() }
    }
  }

  /// One line in one write, which a kill leaves whole or out.
  private static func note(_ word: String, _ log: CInt) {
    let line = Array("\(word) \(now)\n".utf8)
    _ = write(log, line, line.count)
  }

  private static var now: Int64 { Int64(DispatchTime.now().uptimeNanoseconds) }

  /// The cookies that have to be there.
  private static func due(_ name: String, in home: URL) throws -> [String] {
    let text = try String(contentsOf: home.appending(path: "\(name).log"), encoding: .utf8)
    let notes = text.split(separator: "\n").map { $0.split(separator: " ") }
    let end = notes.first { $0[0] == "end" }.flatMap { Int64($0[1]) } ?? 0
    return notes.filter { $0[0] != "end" && Int64($0[1]).map { $0 <= end - stored } ?? false }.map {
      "\(name) \($0[0])"
    }
  }

  /// The cookies that another process finds.
  private static func found(in home: URL) async throws -> Set<String> {
    let path = home.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      setenv("XDG_DATA_HOME", path, 1)
      let cookies = HTTPCookieStorage.shared.cookies ?? []
      let text = cookies.map { "\($0.domain.first { $0 != "." } ?? " ") \($0.name)" }.joined(separator: "\n")
      try Data(text.utf8).write(to: URL(fileURLWithPath: path).appending(path: "found"))
    }
    let text = try String(contentsOf: home.appending(path: "found"), encoding: .utf8)
    return Set(text.split(separator: "\n").map(String.init))
  }
}
