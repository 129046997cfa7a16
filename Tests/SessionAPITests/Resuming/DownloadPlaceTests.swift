// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonServer
import TestSupport
import Testing

@testable import SessionAPI

/// DL-16 to DL-21: what may become of a download's folder, length and destination while it runs.
@Suite struct DownloadPlaceTests {
  /// A download under way, whose folder is changed before its rest comes.
  private static func end(changing change: (URL) throws -> Void) async throws -> ([Event], URLSessionTask) {
    let parent = try TestDirectory()
    let folder = parent.url.appending(path: "downloads")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let fixture = try Fixture([PartRoutes.held("/file")], directory: folder)
    let task = fixture.session.downloadTask(with: try fixture.url("/file"))
    task.resume()
    try await fixture.recorder.log.wait { $0.contains { $0.kind == "written" } }
    try change(folder)
    fixture.server.open(gate: "rest")
    return (try await fixture.events(), task)
  }

  @Test func `a folder that is removed meanwhile makes the download fail (DL-18)`() async throws {
    let (events, task) = try await Self.end { try FileManager.default.removeItem(at: $0) }
    #expect(!events.order.contains("file"))
    #expect(events.contains(.complete(-3003)))
    let beneath = (task.error as? URLError)?.userInfo[NSUnderlyingErrorKey] as? NSError
    #expect(beneath?.domain == NSPOSIXErrorDomain && beneath?.code == Int(POSIXErrorCode.ENOENT.rawValue))
  }

  @Test func `a folder that becomes a link meanwhile leads nowhere else (DL-18)`() async throws {
    let elsewhere = try TestDirectory()
    let (events, _) = try await Self.end { folder in
      let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
      try Data("theirs".utf8).write(to: elsewhere.url.appending(path: name))
      try FileManager.default.removeItem(at: folder)
      try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: elsewhere.url)
    }
    #expect(!events.order.contains("file"))
    #expect(events.contains(.complete(-3003)))
    // Nothing there was touched or removed.
    #expect(elsewhere.files.count == 1)
    let theirs = try Data(contentsOf: elsewhere.url.appending(path: try #require(elsewhere.files.first)))
    #expect(theirs == Data("theirs".utf8))
  }

  @Test func `a file that is replaced by a link meanwhile is not handed over (DL-12, DL-18)`() async throws {
    let target = try TestDirectory()
    let victim = target.url.appending(path: "victim")
    try Data("theirs".utf8).write(to: victim)
    let (events, _) = try await Self.end { folder in
      let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
      try FileManager.default.removeItem(at: folder.appending(path: name))
      try FileManager.default.createSymbolicLink(at: folder.appending(path: name), withDestinationURL: victim)
    }
    #expect(events.contains(.complete(-3003)))
    #expect(try Data(contentsOf: victim) == Data("theirs".utf8))
  }

  @Test func `two downloads for one destination both end, and one whole file is there (DL-21)`() async throws {
    let directory = try TestDirectory()
    let destination = directory.url.appending(path: "destination")
    let reactions = Reactions(file: { _, file in
      // The step of a program that wants the last one to win: rename(2) replaces at once.
      _ = rename(file.path, destination.path)
    })
    let fixture = try Fixture([PartRoutes.held("/file")], reactions)
    fixture.server.open(gate: "rest")
    for _ in 0..<2 { fixture.session.downloadTask(with: try fixture.url("/file")).resume() }
    let events = try await fixture.events(after: 2)
    #expect(events.count { $0 == .complete(nil) } == 2)
    #expect(BodySum.of(try Data(contentsOf: destination)) == PartRoutes.checksum)
  }

  @Test func `a download goes on behind 5 GiB, which no 32 bits can count (DL-20)`() async throws {
    let directory = try TestDirectory()
    let (offset, size) = (5 << 30 as Int64, (5 << 30) + 1_000_000 as Int64)
    let route = Route("/file") { request in
      let start = PartRoutes.first(of: request)
      let place = HeaderField("Content-Range", "bytes \(start)-\(size - 1)/\(size)")
      return .response(
        Response(206, fields: [PartRoutes.tag, place], body: .seeded(seed: PartRoutes.seed, range: start..<size)))
    }
    let sizes = EventLog<Int>()
    let reactions = Reactions(file: { _, file in
      let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
      if let size = attributes?[.size] as? Int { sizes.append(size) }
      // Not to be read back: it is a hole for the most part.
      unlink(file.path)
    })
    let fixture = try Fixture([route], reactions, directory: directory.url)
    let name = "CFNetworkDownload_Sparse.tmp"
    let path = directory.url.path + "/" + name
    let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY, 0o600)
    try #require(ftruncate(descriptor, off_t(offset)) == 0)
    close(descriptor)
    let number = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
    let data = Data(Self.resumeData(try fixture.url("/file"), name, offset, UInt(try #require(number))).utf8)
    let task = fixture.session.downloadTask(withResumeData: data)
    task.resume()
    let events = try await fixture.events()
    #expect(events.contains(.resumed(offset: offset - 4096, expected: size)))
    #expect(events.contains(.complete(nil)))
    #expect(sizes.all == [Int(size)])
    #expect(task.countOfBytesReceived == size)
  }

  private static func resumeData(_ url: URL, _ name: String, _ received: Int64, _ inode: UInt) -> String {
    """
    <plist version="1.0"><dict>
    <key>NSURLSessionResumeInfoVersion</key><integer>101</integer>
    <key>NSURLSessionDownloadURL</key><string>\(url.absoluteString)</string>
    <key>NSURLSessionResumeBytesReceived</key><integer>\(received)</integer>
    <key>NSURLSessionResumeEntityTag</key><string>\(PartRoutes.tag.value)</string>
    <key>NSURLSessionResumeInfoTempFileName</key><string>\(name)</string>
    <key>WorkbenchTempFileNumber</key><integer>\(inode)</integer>
    <key>NSURLSessionResumeOriginalRequest</key>
    <dict><key>HTTPHeaderFields</key><dict/><key>TimeoutInterval</key><real>60</real></dict>
    </dict></plist>
    """
  }
}
