// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing

/// N5-06: the memory of a streamed body of 64 MiB that is sent twice, with and without connection(_:needNewBodyStream:).
@Suite(.exitTests, .inOrder, .enabled(if: !TestMachine.isSanitized)) struct StreamMemoryTests {
  private static let size: Int64 = 64 << 20
  /// What a load holds of the body at any time is 256 KiB of the stream and 64 KiB to be sent.
  private static let bound = 4 << 20

  @Test(arguments: [true, false])
  func `a stream of 64 MiB sent twice stays in bounds, asked for anew or copied (N5-06)`(isAsked: Bool) async throws {
    let server = try LessonServer.running()
    let port = Int(server.port)
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [isAsked = isAsked as Bool, port = port as Int] in
      let growth = try await StreamMemoryTests.growth(port: port, isAsked: isAsked)
      if growth > StreamMemoryTests.bound { FileHandle.standardError.write(Data("it grew by \(growth) bytes".utf8)) }
    }
    #expect(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self) == "")
    let sums = server.log.settled(within: .seconds(TestMachine.patience)).requests.map(\.bodyChecksum).suffix(2)
    #expect(sums == [SeededBody.checksum(seed: 6, size: Self.size), SeededBody.checksum(seed: 6, size: Self.size)])
  }

  /// In a process of its own: how much the memory grew above what a small load of the same kind had needed.
  private static func growth(port: Int, isAsked: Bool) async throws -> Int {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try write(to: file, 1 << 20)
    try await load(file, port: port, isAsked: isAsked)
    try write(to: file, size)
    ProcessUsage.resetPeak()
    let before = ProcessUsage.resident
    try await load(file, port: port, isAsked: isAsked)
    return ProcessUsage.peak - before
  }

  private static func write(to file: URL, _ size: Int64) throws {
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    let handle = try FileHandle(forWritingTo: file)
    for start in stride(from: 0, to: size, by: 1 << 20) {
      try handle.write(contentsOf: Data(SeededBody(seed: 6).bytes(start..<start + (1 << 20))))
    }
    try handle.close()
  }

  private static func load(_ file: URL, port: Int, isAsked: Bool) async throws {
    guard let url = URL(string: "http://127.0.0.1:\(port)/redirect/307?to=/upload") else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBodyStream = InputStream(url: file)
    let delegate = RecordingDelegate(makeStream: { InputStream(url: file) })
    try await onOwnThread { [request] in
      _ = NSURLConnection(request: request, delegate: isAsked ? delegate : DelegateWithoutStream(delegate))
      RunLoop.current.run()
    }
    guard delegate.calls.hasSuffix("f") else { throw delegate.record.withLock { $0.error } ?? URLError(.unknown) }
  }
}
