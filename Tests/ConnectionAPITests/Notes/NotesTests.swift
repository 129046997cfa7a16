// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing
import Timeline

/// The code of notes N2 and N5, put into Swift as Apple's SDK imports it: only import and URL are changed, and where a
/// note leaves a step out, the comment says so.
@Suite(.inOrder) struct NotesTests {
  // MARK: - N2, iPhone网络开发之如何使用NSURLConnection

  private final class Receiver: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    // Sendable: of the thread that runs the connection, and read when that has ended.
    var receivedData: NSMutableData?
    var succeeded: Int?
    var failure: String?

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
      receivedData?.length = 0
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      receivedData?.append(data)
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      receivedData = nil
      // The note reads NSErrorFailingURLStringKey.
      let url = (error as NSError).userInfo[NSErrorFailingURLStringKey] as? String
      failure = "Connection failed! Error - \(error.localizedDescription) \(url ?? "")"
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      succeeded = receivedData?.length
    }
  }

  private func receive(_ path: String, from server: LessonServer) async throws -> Receiver {
    let address = server.url(path)
    let receiver = Receiver()
    try await onOwnThread {
      let theRequest = URLRequest(
        url: try #require(URL(string: address)), cachePolicy: .useProtocolCachePolicy, timeoutInterval: 60.0)
      let theConnection = NSURLConnection(request: theRequest, delegate: receiver)
      if theConnection != nil { receiver.receivedData = NSMutableData() }
      RunLoop.current.run()
    }
    return receiver
  }

  @Test func `the receiver gathers the data (N2)`() async throws {
    let server = try LessonServer.running()
    #expect(try await receive("/body?size=1MiB", from: server).succeeded == 1 << 20)
  }

  @Test func `a second response drops what came before (N2)`() async throws {
    let server = try LessonServer.running()
    #expect(try await receive("/parts?parts=3&size=1000", from: server).succeeded == 1000)
  }

  @Test func `the failure names the URL (N2)`() async throws {
    let server = try LessonServer.running([Route("/nothing", script: [.end(.fin)])])
    let receiver = try await receive("/nothing", from: server)
    #expect(receiver.succeeded == nil)
    #expect(receiver.failure?.hasPrefix("Connection failed! Error - ") == true)
    #expect(receiver.failure?.hasSuffix(server.url("/nothing")) == true)
  }

  // MARK: - N5, 3.3.4 异步请求

  /// The note schedules on the main run loop, which nobody runs in a process of tests: lesson-10 does that with the note's
  /// own lines (claim N5-10). Here it is the loop of the note's next paragraph, that of another thread.
  @Test func `created elsewhere, scheduled on a run loop of another thread, then started (N5)`() async throws {
    let server = try LessonServer.running()
    let request = try server.request("/1k")
    let delegate = RecordingDelegate()
    try await onOwnThread {
      let worker = LoopThread(.default)
      let connection = NSURLConnection(request: request, delegate: delegate, startImmediately: false)
      connection?.schedule(in: worker.loop.value, forMode: .default)
      connection?.start()
      #expect(delegate.waitForEnd())
      worker.stop()
      #expect(delegate.record.withLock { $0.threads } == [worker.number])
    }
  }

  @Test func `the delegate's sequence, with a new stream of the file to be sent (N5)`() async throws {
    let server = try LessonServer.running()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(SeededBody(seed: 2).bytes(0..<300_000)).write(to: file)
    var request = try server.request("/redirect/307?to=/upload")
    request.httpMethod = "POST"
    request.httpBodyStream = InputStream(url: file)
    let delegate = RecordingDelegate(makeStream: { InputStream(url: file) })
    try await onOwnThread { [request] in
      _ = NSURLConnection(request: request, delegate: delegate)
      RunLoop.current.run()
    }
    #expect(delegate.course == "wswnsrdf")
    let log = server.log.settled(within: .seconds(TestMachine.patience))
    #expect(log.requests.last?.bodyChecksum == SeededBody.checksum(seed: 2, size: 300_000))
  }
}
