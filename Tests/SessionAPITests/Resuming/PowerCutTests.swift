// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonServer
import TestSupport
import Testing

@testable import SessionAPI

/// DL-22: what a power cut leaves. What was synced before resume data was handed out is there, as resume data is made after
/// fdatasync(2); what was written later may be there or not, in any length. So the file is longer, or as long, as the data
/// says; where it is shorter, the disk has lied, and nothing is believed.
@Suite struct PowerCutTests {
  private static func stopped(_ fixture: Fixture) async throws -> Data {
    let task = fixture.session.downloadTask(with: try fixture.url("/file"))
    task.resume()
    try await fixture.recorder.log.wait { $0.contains { $0.kind == "written" } }
    return try #require(await task.cancelByProducingResumeData())
  }

  @Test(arguments: [0, 1, 4096, 100_000])
  func `bytes that came after the last sync are not believed (DL-22)`(more: Int) async throws {
    let directory = try TestDirectory()
    let fixture = try Fixture([PartRoutes.held("/file")], directory: directory.url)
    let data = try await Self.stopped(fixture)
    let file = directory.url.appending(path: try #require(directory.files.first))
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(repeating: 0xEE, count: more))
    try handle.close()
    let (whole, _) = try await fixture.session.download(resumeFrom: data)
    #expect(BodySum.of(try Data(contentsOf: whole)) == PartRoutes.checksum)
  }

  @Test(arguments: [1, 4096, 500_000])
  func `a file that lost synced bytes is refused, and never finished (DL-22)`(lost: Int64) async throws {
    let directory = try TestDirectory()
    let fixture = try Fixture([PartRoutes.held("/file")], directory: directory.url)
    let data = try await Self.stopped(fixture)
    let file = directory.url.appending(path: try #require(directory.files.first))
    let size = try #require(try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int64 ?? 0)
    #expect(truncate(file.path, off_t(size - min(lost, size))) == 0)
    await #expect(throws: URLError.self) { try await fixture.session.download(resumeFrom: data) }
  }
}
