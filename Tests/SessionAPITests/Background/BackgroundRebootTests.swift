// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import Glibc
import LessonServer
import TestSupport
import Testing
import URLLoading

/// BG-19: a machine that stops in the midst of a download.
@Suite(.serialized) struct BackgroundRebootTests {
  /// Program and agent are gone, and so is the folder for running programs; the journal is of another boot. Of the part the disk has
  /// `synced` bytes, and behind them what a file system may show after a power cut.
  private static func reboot(_ bench: BackgroundBench, runtime: URL, synced: Int64?) async throws {
    try await bench.program.kill()
    try await bench.place.killAgent()
    try? FileManager.default.removeItem(at: runtime)
    let folder = bench.place.places.folder(of: "test")
    var journal = try #require(try Journal(in: folder) { _ in })
    for (key, task) in journal.tasks {
      journal.tasks[key]?.boot = "another boot"
      guard let synced else { continue }
      journal.tasks[key]?.synced = synced
      let name = try ResumeRecord(data: try #require(task.resume)).fileName
      let part = try FileHandle(forUpdating: folder.appending(path: name))
      let size = try part.seekToEnd()
      try part.seek(toOffset: UInt64(synced))
      try part.write(contentsOf: Data(count: Int(size) - Int(synced)))
      try part.close()
    }
    try journal.save(in: folder)
  }

  private static func bench(_ runtime: URL) async throws -> BackgroundBench {
    try FileManager.default.createDirectory(
      at: runtime, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return try await BackgroundBench(variables: ["XDG_RUNTIME_DIR": runtime.path])
  }

  @Test(arguments: [nil, 500_000 as Int64])
  func `after a reboot the next program's download goes on behind the bytes that the disk has (BG-19)`(
    synced: Int64?
  ) async throws {
    let directory = try TestDirectory()
    let runtime = directory.url.appending(path: "run")
    let bench = try await Self.bench(runtime)
    let folder = bench.place.places.folder(of: "test")
    try await eventually { ((try? Journal(in: folder) { _ in })??.tasks.values.first?.synced ?? 0) > 0 }
    let known = try #require(try Journal(in: folder) { _ in }?.tasks.values.first?.synced)
    try await Self.reboot(bench, runtime: runtime, synced: synced)
    let lines = try await ProgramRun(bench.place, urls: [bench.url]).ended()
    // The rest may have arrived before the program asks for its tasks.
    #expect(
      lines.filter { ["file 0", "complete 0 0", "done"].contains($0) } == ["file 0", "complete 0 0", "done"], "\(lines)"
    )
    #expect(!lines.contains("started 0"))
    #expect(bench.place.sum(of: "0") == PartRoutes.checksum)
    let requests = bench.server.log.snapshot().requests(for: "/file")
    try #require(requests.count == 2)
    #expect(requests[1]["If-Range"] == "\"v1\"")
    // The request begins at a block's begin, before the last byte there is.
    let first = ((synced ?? known) - 1) / 4096 * 4096
    #expect(requests[1].range == "bytes=\(first)-")
    try await bench.place.agentEnds()
  }

  @Test func `a part of which the disk has nothing for certain is not gone on with (BG-19)`() async throws {
    let directory = try TestDirectory()
    let runtime = directory.url.appending(path: "run")
    let bench = try await Self.bench(runtime)
    try await Self.reboot(bench, runtime: runtime, synced: 0)
    bench.server.open(gate: "rest")
    _ = try await ProgramRun(bench.place, urls: [bench.url]).ended()
    #expect(bench.place.sum(of: "0") == PartRoutes.checksum)
    let requests = bench.server.log.snapshot().requests(for: "/file")
    #expect(requests.map(\.range) == [nil, nil])
    try await bench.place.agentEnds()
  }
}
