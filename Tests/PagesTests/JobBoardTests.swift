// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonKit
import Reports
import TestSupport
import Testing

@testable import Pages

/// What the board says of a job whose process is a script of the test's own.
@Suite(.timeLimit(.minutes(1))) struct JobBoardTests {
  /// Writes a script that says `event`, and then waits until the test opens the pipe beside it; answers its path.
  private static func script(saying event: JobEvent, in folder: TestDirectory) throws -> String {
    let path = folder.url.appendingPathComponent("child").path
    let line = String(decoding: try JSONEncoder().encode(event), as: UTF8.self)
    try Data("#!/bin/sh\necho '\(line)'\n: <\"$0.pipe\"\n".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    try #require(mkfifo(path + ".pipe", 0o600) == 0)
    return path
  }

  /// Waits until the board says so.
  private static func wait(for board: JobBoard, until isEnough: (JobBoard) -> Bool) async {
    for await _ in board.changes() where isEnough(board) { return }
  }

  @Test func `a check counts once its process has ended, which writes the student's notes after the result`()
    async throws
  {
    let folder = try TestDirectory()
    let report = CheckReport(
      exercise: "lesson-04", outcome: "passed", passed: true, why: .empty, score: 10, points: 10, compiler: "",
      advice: [],
      checks: [])
    let path = try Self.script(saying: .checked(report), in: folder)
    let board = JobBoard(executable: path)
    #expect(board.start(.check(CheckOrder(exercise: "lesson-04", course: "/", student: "/"))))
    await Self.wait(for: board) { $0.check(of: "lesson-04") != nil }
    #expect(board.isRunning && board.checks(of: "lesson-04") == 0)
    _ = try await onThread { close(open(path + ".pipe", O_WRONLY)) }
    await Self.wait(for: board) { !$0.isRunning }
    #expect(board.job?.state == .finished && board.checks(of: "lesson-04") == 1)
    await board.end()
  }
}
