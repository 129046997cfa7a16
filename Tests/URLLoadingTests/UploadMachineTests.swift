// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import URLLoading

/// The decisions of an upload that can be resumed (B.6).
@Suite struct UploadMachineTests {
  private static func resource() throws -> URL { try #require(URL(string: "http://a.example/1")) }

  @Test func `without an offer an interruption is the end`() {
    var machine = UploadMachine(length: 10)
    #expect(machine.interrupted() == .giveUp)
  }

  @Test func `an interruption leads to a question, and its answer to the rest`() throws {
    var machine = UploadMachine(length: 10)
    machine.announced(try Self.resource())
    #expect(machine.interrupted() == .ask(try Self.resource()))
    #expect(machine.step == .offset)
    #expect(machine.offsetReported(status: 204, offset: 4, isComplete: false) == .append(try Self.resource(), from: 4))
    #expect(machine.step == .rest(4))
  }

  @Test func `progress renews the attempts, and its lack uses them up`() throws {
    var machine = UploadMachine(length: 100)
    machine.announced(try Self.resource())
    for offset in 1...20 {
      #expect(machine.interrupted() == .ask(try Self.resource()))
      _ = machine.offsetReported(status: 200, offset: Int64(offset), isComplete: nil)
    }
    for _ in 2...UploadMachine.attemptLimit + 1 {
      #expect(machine.interrupted() == .ask(try Self.resource()))
      _ = machine.offsetReported(status: 200, offset: 20, isComplete: nil)
    }
    #expect(machine.interrupted() == .giveUp)
  }

  @Test func `a count that goes to and fro is no progress (B.6)`() throws {
    var machine = UploadMachine(length: 100)
    machine.announced(try Self.resource())
    for offset in [5, 3, 5] as [Int64] {
      #expect(machine.interrupted() == .ask(try Self.resource()))
      _ = machine.offsetReported(status: 200, offset: offset, isComplete: nil)
    }
    #expect(machine.interrupted() == .ask(try Self.resource()))
    #expect(machine.interrupted() == .giveUp)
  }

  @Test(
    arguments: [
      (404, 4, nil), (500, 4, nil), (204, nil, nil), (204, -1, nil), (204, 11, nil), (302, 4, nil),
    ] as [(Int, Int64?, Bool?)]) func `an answer that makes no sense is the end`(
      status: Int, offset: Int64?, isComplete: Bool?
    ) throws
  {
    var machine = UploadMachine(length: 10, resource: try Self.resource())
    #expect(machine.resumed() == .ask(try Self.resource()))
    #expect(machine.offsetReported(status: status, offset: offset, isComplete: isComplete) == .giveUp)
  }

  @Test func `what is complete needs nothing more, and a later offer changes nothing`() throws {
    var machine = UploadMachine(length: 10, resource: try Self.resource())
    _ = machine.resumed()
    machine.announced(try #require(URL(string: "http://b.example/")))
    #expect(machine.resource == (try Self.resource()))
    #expect(machine.offsetReported(status: 204, offset: 10, isComplete: true) == .finish)
  }
}

/// Resume data of uploads is input from anywhere.
@Suite struct UploadRecordTests {
  private static func record() throws -> UploadRecord {
    var request = URLRequest(url: try #require(URL(string: "https://example.com/a")))
    request.httpMethod = "PUT"
    request.setValue("Basic <&>", forHTTPHeaderField: "Authorization")
    return UploadRecord(
      request: request, resource: try #require(URL(string: "https://example.com/1")),
      body: .spooled(name: "CFNetworkDownload_aZ09bY.tmp", number: .max, count: 9000))
  }

  @Test func `a record is read back as it was written (B.6)`() throws {
    let stamp = try #require(FileStamp(path: #filePath))
    for body in [UploadRecord.Body.requested, .file(path: #filePath, stamp), try Self.record().body] {
      var record = try Self.record()
      record.body = body
      let again = try UploadRecord(data: try #require(record.data))
      #expect(again == record && again.request.httpMethod == "PUT")
    }
  }

  @Test(arguments: [
    ("https://example.com/a", "file:///etc/passwd"), ("https://example.com/1", "ftp://example.com/1"),
    ("https://example.com/1", "http://example.com/1"), ("CFNetworkDownload_aZ09bY.tmp", "../../x"),
    ("CFNetworkDownload_aZ09bY.tmp", "/etc/passwd"), ("<string>PUT</string>", "<string>P UT</string>"),
    ("<integer>9000</integer>", "<integer>0</integer>"), ("<integer>101</integer>", "<integer>102</integer>"),
    ("Authorization", "X: y"), ("NSURLSessionResumeInfoTempFileName", "WorkbenchBodyPath"),
  ]) func `a record that leads elsewhere is refused (B.6)`(part: String, other: String) throws {
    let text = String(decoding: try #require(try Self.record().data), as: UTF8.self)
    let damaged = text.replacingOccurrences(of: part, with: other)
    #expect(damaged != text)
    #expect(throws: ResumeRefusal.self) { try UploadRecord(data: Data(damaged.utf8)) }
  }

  @Test func `a path leads to no file but the one that was being sent (B.6)`() throws {
    let directory = FileManager.default.temporaryDirectory
    let file = directory.appending(path: "stamp-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("one".utf8).write(to: file)
    var record = try Self.record()
    record.body = .file(path: file.path, try #require(FileStamp(path: file.path)))
    #expect(try UploadBody(of: record, in: directory).length == 3)
    record.body = .file(path: "/etc/passwd", try #require(FileStamp(path: file.path)))
    #expect(throws: ResumeRefusal.self) { try UploadBody(of: record, in: directory) }
    record.body = .file(path: file.path, try #require(FileStamp(path: file.path)))
    try Data("two".utf8).write(to: file)
    #expect(throws: ResumeRefusal.self) { try UploadBody(of: record, in: directory) }
    #expect(FileStamp(path: "/dev/zero") == nil && FileStamp(text: "1 2 3") == nil)
  }
}
