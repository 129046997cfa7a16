// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import Glibc
import Locking
import TestSupport
import Testing
import URLLoading

@testable import SessionAPI

/// BG-40 and on: what agent and client believe of each other, and of what lies on the disk.
@Suite struct BackgroundTalkTests {
  private static let settings = {
    var wire = WireSettings()
    wire.fields = ["A": "b"]
    return SessionSettings(wire)
  }()

  private static func task(_ number: Int) throws -> TransferRecord {
    let url = try #require(URL(string: "http://127.0.0.1/\(number)"))
    let request = RequestRecord(
      url: url, method: "GET", fields: ["X": "\u{1F30D}\n"], timeout: 60, body: Data([0, 255]))
    return TransferRecord(
      key: UUID(), number: number, request: request, upload: nil, created: Date(timeIntervalSince1970: 1))
  }

  @Test func `messages are read wherever their bytes are split (BG-40)`() throws {
    let messages = [Data(), Data([1]), Data(repeating: 7, count: 300)]
    let bytes = try messages.map { try FrameReader.frame($0) }.reduce(Data(), +)
    for cut in 0...bytes.count {
      var (reader, found) = (FrameReader(), [Data]())
      for part in [bytes.prefix(cut), bytes.dropFirst(cut)] {
        Data(part).withUnsafeBytes { reader.append($0) }
        while let message = try reader.next() { found.append(message) }
      }
      #expect(found == messages)
    }
  }

  @Test func `a client that has not named its session may not send long messages (BG-40)`() throws {
    let frame = try FrameReader.frame(Data(count: FrameReader.firstLimit + 1))
    var reader = FrameReader(limit: FrameReader.firstLimit)
    frame.prefix(4).withUnsafeBytes { reader.append($0) }
    #expect(throws: TransferFault.self) { try reader.next() }
    reader.limit = FrameReader.limit
    frame.dropFirst(4).withUnsafeBytes { reader.append($0) }
    #expect(try reader.next()?.count == FrameReader.firstLimit + 1)
  }

  @Test func `a length beyond the limit is a fault before its bytes come (BG-40)`() throws {
    var reader = FrameReader()
    Data([0xFF, 0xFF, 0xFF, 0xFF]).withUnsafeBytes { reader.append($0) }
    #expect(throws: TransferFault.self) { try reader.next() }
  }

  @Test func `time-outs without a number are written as one, and slashes count once (BG-41)`() throws {
    let configuration = URLSessionConfiguration.ephemeral
    (configuration.timeoutIntervalForRequest, configuration.timeoutIntervalForResource) = (.infinity, .nan)
    let values = configuration.values.withLock { $0 }
    let settings = BackgroundRules.settings(of: values)
    #expect(try !Talk.encode(ClientMessage.hello(identifier: "a", settings: settings)).isEmpty)
    var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1/")))
    (request.timeoutInterval, request.httpBody) = (.infinity, Data(repeating: 0xFF, count: 4 << 20))
    let message = ClientMessage.begin(UUID(), try BackgroundRules.record(of: request, values))
    #expect(try FrameReader.frame(Talk.encode(message)).count < FrameReader.limit)
  }

  @Test func `a message has a version and a meaning, or it is a fault (BG-41)`() throws {
    let message = ClientMessage.start(try Self.task(1))
    #expect(try Talk.decode(ClientMessage.self, from: Talk.encode(message)) == message)
    let bad = [
      "", "{", "null", "[]", "{\"version\":3,\"message\":{}}", "{\"version\":1}",
      "{\"version\":1,\"message\":{\"no\":{}}}",
      String(repeating: "[", count: 100_000), "{\"version\":1e400}",
    ]
    for text in bad {
      #expect(throws: TransferFault.self) { try Talk.decode(ClientMessage.self, from: Data(text.utf8)) }
    }
  }

  @Test func `of a journal that is cut anywhere the whole lines are read (BG-42)`() throws {
    var journal = Journal(identifier: "name", settings: Self.settings)
    for number in 1...3 {
      let task = try Self.task(number)
      journal.tasks[task.key] = task
    }
    let bytes = try journal.data
    #expect(try Journal(data: bytes) { _ in } == journal)
    for length in 0..<bytes.count {
      var notes: [String] = []
      guard let read = try? Journal(data: bytes.prefix(length), note: { notes.append($0) }) else { continue }
      let lines = bytes.prefix(length).split(separator: 10).count
      #expect(read.identifier == "name")
      #expect(read.tasks.count + notes.count == lines - 1)
      #expect(notes.count <= 1)
    }
  }

  @Test func `a journal of a later version, or full of nonsense, is refused in a sentence (BG-42)`() throws {
    var text = String(decoding: try Journal(identifier: "name", settings: Self.settings).data, as: UTF8.self)
    text = text.replacingOccurrences(of: "\"version\":1", with: "\"version\":9")
    for bytes in [Data(text.utf8), Data(), Data(repeating: 0, count: 5_000), Data("\n\n[]\n".utf8)] {
      #expect(throws: TransferFault.self) { try Journal(data: bytes) { _ in } }
    }
  }

  @Test func `a journal that is saved takes the place of the one before (BG-42)`() throws {
    let directory = try TestDirectory()
    #expect(try Journal(in: directory.url, note: { _ in }) == nil)
    var journal = Journal(identifier: "name", settings: Self.settings)
    try journal.save(in: directory.url)
    let task = try Self.task(1)
    journal.tasks[task.key] = task
    try journal.save(in: directory.url)
    #expect(try Journal(in: directory.url, note: { _ in }) == journal)
    #expect(directory.files == [Journal.name])
  }

  @Test func `a journal that could not be read again is not written, and the one before stays (BG-42)`() throws {
    let directory = try TestDirectory()
    var journal = Journal(identifier: "name", settings: Self.settings)
    try journal.save(in: directory.url)
    let before = journal
    let task = try Self.task(1)
    journal.tasks[task.key] = task
    #expect(throws: TransferFault.self) { try journal.save(in: directory.url, limit: try before.data.count) }
    #expect(try Journal(in: directory.url, note: { _ in }) == before)
  }

  @Test func `what the network did is tried again until the week is over (BG-43)`() {
    let created = Date(timeIntervalSince1970: 0)
    let week = created.addingTimeInterval(604_800)
    var (rule, now, attempts) = (RetryRule(), created, 0)
    while let delay = rule.failed(isOfNetwork: true, now: now, isInTime: now < week) {
      (now, attempts) = (now.addingTimeInterval(delay + 1), attempts + 1)
    }
    #expect((604_800..<604_900).contains(now.timeIntervalSince1970))
    #expect(attempts > 9_000)
    #expect(rule.failed(isOfNetwork: true, now: now, isInTime: false) == nil)
    rule.progressed()
    #expect(rule.failed(isOfNetwork: true, now: created, isInTime: true) == 0)
    #expect(rule.failed(isOfNetwork: true, now: created, isInTime: true) == 1)
    #expect(rule.failed(isOfNetwork: false, now: created, isInTime: true) == nil)
  }

  @Test func `a missing network is told from a server's and a resolver's answer (BG-43)`() {
    for code in [-1001, -1005, -1009] { #expect(RetryRule.isOfNetwork(code)) }
    for code in [-999, -1003, -1004, -1100, -1202, -3000] { #expect(!RetryRule.isOfNetwork(code)) }
    for answer in [0, EAI_AGAIN, EAI_SYSTEM] { #expect(RetryRule.isOfNetwork(-1003, lookup: answer)) }
    #expect(!RetryRule.isOfNetwork(-1003, lookup: EAI_NONAME))
    for reason in [EHOSTUNREACH, ENETUNREACH, ETIMEDOUT] {
      #expect(RetryRule.isOfNetwork(-1004, systemError: reason))
    }
    #expect(!RetryRule.isOfNetwork(-1004, systemError: ECONNREFUSED))
  }

  @Test func `attempts without progress come ever later, and none within a second of another (BG-16)`() {
    let begin = Date(timeIntervalSince1970: 0)
    /// The attempts of a minute in which each fails after 0.15 s, with so many bytes there.
    func attempts(_ received: (Int) -> Int64) -> Int {
      var (rule, now, count) = (RetryRule(), begin, 0)
      while now.timeIntervalSince(begin) < 60 {
        count += 1
        now += 0.15
        rule.received(received(count))
        now += rule.failed(isOfNetwork: true, received: received(count), now: now, isInTime: true) ?? .infinity
      }
      return count
    }
    #expect(attempts { _ in 0 } <= 8)
    #expect(attempts { _ in 4_096 } <= 9, "the same bytes again are no progress")
    #expect((40...61).contains(attempts { Int64($0) * 1_000 }), "the first is repeated at once")
    var rule = RetryRule()
    for _ in 0..<8 { _ = rule.failed(isOfNetwork: true, now: begin, isInTime: true) }
    #expect(rule.failed(isOfNetwork: true, now: begin + 100, isInTime: true) == 60)
    rule.received(1)
    #expect(rule.failed(isOfNetwork: true, received: 1, now: begin + 200, isInTime: true) == 0)
  }

  @Test func `a list of tasks goes in messages that are short enough, however long it is (BG-15)`() throws {
    let tasks = try (1...40).map { number in
      var task = try Self.task(number)
      task.request.body = Data(repeating: 0xFF, count: 1_000_000)
      return task
    }
    let messages = try Talk.encode(list: tasks)
    #expect(messages.allSatisfy { $0.count < FrameReader.limit / 2 })
    var found: [TransferRecord] = []
    for (number, data) in messages.enumerated() {
      switch try Talk.decode(AgentMessage.self, from: data) {
      case .known(let some) where number < messages.count - 1: found += some
      case .welcome(let rest) where number == messages.count - 1: found += rest
      case let other: Issue.record("\(number): \(other)")
      }
    }
    #expect(found == tasks)
    #expect(try Talk.encode(list: []).count == 1)
  }

  @Test func `what an agent states of itself is read back, and nothing else is believed (BG-18)`() {
    #expect(AgentStatement("12\n/a/socket\n") == AgentStatement(process: 12, socket: "/a/socket"))
    #expect(AgentStatement("12\n/a/soc") == AgentStatement(process: 12, socket: nil))
    #expect(AgentStatement("12\na/socket\n") == AgentStatement(process: 12, socket: nil))
    for text in ["", "\n", "1\n", "-1\n", "0\n/a\n", "x\n/a\n", "99999999999999\n"] {
      #expect(AgentStatement(text) == nil)
    }
  }

  @Test func `a socket may lie in a folder whose path has more than an address's 107 bytes (BG-44)`() throws {
    let directory = try TestDirectory()
    let folder = directory.url.appending(path: String(repeating: "f", count: 150)).path
    try Places.makePrivate(folder)
    let path = folder + "/socket"
    let listening = try UnixSocket.listen(at: path)
    defer { close(listening) }
    close(try UnixSocket.connect(to: path))
    #expect(FileManager.default.mode(of: path) == 0o600)
    let missing = #expect(throws: TransferFault.self) { try UnixSocket.connect(to: folder + "/none/socket") }
    #expect(missing?.description.hasSuffix("No such file or directory") == true)
  }

  @Test func `names lead nowhere else, and different ones to different folders (BG-44)`() {
    let places = Places(environment: ["XDG_STATE_HOME": "/state", "XDG_RUNTIME_DIR": "/run/user/1"])
    #expect(places.socket.hasPrefix("/run/user/1/url-transfer-agent/"))
    let other = Places(environment: ["XDG_STATE_HOME": "/state2", "XDG_RUNTIME_DIR": "/run/user/1"])
    #expect(other.socket != places.socket)
    let names = ["a", "../a", "/", "..", "a/b", "\u{0}", "é", String(repeating: "a", count: 5_000), ""]
    let folders = names.map { places.folder(of: $0) }
    #expect(Set(folders.map(\.lastPathComponent)).count == names.count)
    for folder in folders {
      #expect(folder.deletingLastPathComponent().path == "/state/url-transfer-agent")
      #expect(folder.lastPathComponent.utf8.count < 100)
    }
  }
}
