// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing
import Transport

@Suite(.exitTests) struct ProcessExitTests {
  @Test func `a process exits cleanly with transfers in flight`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let server = LessonServer(routes: Route.standard)
      try server.start()
      let transport = Transport()
      let probes = (0..<20).map { _ in TransferProbe(keepsBody: false) }
      for (index, probe) in probes.enumerated() {
        let path = index.isMultiple(of: 2) ? "/never" : "/body?size=1GiB"
        _ = transport.start(TransferRequest(url: server.url(path)), consumer: probe)
      }
      _ = server.log.waitForRequests(6, within: .seconds(TestMachine.patience))
      exit(7)
    }
  }

  /// At moments of its first use of TLS, of which a part is the reading of the system's authorities, with OpenSSL. The pause is
  /// what is under test: nothing outside tells when the queue is in the midst of that.
  @Test(arguments: [0, 2, 5, 10, 20, 40])
  func `a process exits cleanly while it learns whom to trust`(milliseconds: Int) async {
    await #expect(processExitsWith: .exitCode(7)) { [milliseconds = milliseconds as Int] in
      let request = TransferRequest(url: "https://127.0.0.1:9/")
      let transport = Transport()
      for _ in 0..<4 { _ = transport.start(request, consumer: TransferProbe(keepsBody: false)) }
      usleep(UInt32(milliseconds) * 1000)
      exit(7)
    }
  }

  private static let kept = Locked<Transport?>(nil)

  @Test func `a transport may go when the thread has ended with the process`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      // What is registered first runs last: behind the end of the thread, which begins with the first transport.
      atexit { ProcessExitTests.kept.withLock { $0 = nil } }
      Self.kept.withLock { $0 = Transport() }
      exit(0)
    }
  }

  /// True if `socket` is one whose peer has this port.
  private static func isConnected(_ socket: Int32, to port: UInt16) -> Bool {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(socket, $0, &size) }
    }
    return status == 0 && UInt16(bigEndian: address.sin_port) == port
  }

  /// Until the I/O thread has done what was posted before, and what that posted.
  private static func waitForThread() {
    for _ in 0..<4 {
      let isDone = DispatchSemaphore(value: 0)
      Transport.onThread { isDone.signal() }
      #expect(isDone.waitPatiently())
    }
  }

  /// Takes each free descriptor below `number`, so that the next one that the process gets is `number`.
  private static func fillDescriptors(below number: Int32) {
    var descriptor: Int32 = 0
    repeat { descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC) } while descriptor >= 0 && descriptor < number
    if descriptor >= 0 { close(descriptor) }
  }

  /// Has a connection of a new transport get the descriptor that an old one's had while a child still held it, and loads over
  /// it. False where another thread of the process took that number meanwhile, as the dispatch library's does when it looks
  /// at its threads.
  private static func loadsBehindClosedConnection() throws -> Bool {
    let first = LessonServer(routes: Route.standard)
    let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
    // A second later no timer of libcurl's own looks at the socket any more.
    let held: Script = [.gate("go"), .delay(.seconds(1)), .text(ok)]
    let second = LessonServer(routes: [Route("/ok", script: [.text(ok)]), Route("/held", script: held)])
    try first.start()
    try second.start()
    let (old, new) = (Transport(), Transport())
    let (before, warmUp, behind) = (TransferProbe(), TransferProbe(), TransferProbe())
    _ = old.start(TransferRequest(url: first.url("/ok")), consumer: before)
    #expect(before.waitForEnd())
    _ = new.start(TransferRequest(url: second.url("/ok")), consumer: warmUp)
    #expect(warmUp.waitForEnd())
    // A copy of the descriptor does what a child between fork and exec does.
    let ours = (3..<Int32(256)).filter { isConnected($0, to: UInt16(first.port)) }
    #expect(ours.count == 1 && ours.allSatisfy { dup($0) >= 0 })
    old.shutdown()
    waitForThread()
    fillDescriptors(below: ours.first ?? 0)
    _ = new.start(TransferRequest(url: second.url("/held")), consumer: behind)
    #expect(second.log.waitForRequests(2, within: .seconds(TestMachine.patience)))
    let isTaken = (3..<Int32(256)).filter { isConnected($0, to: UInt16(second.port)) } != ours
    // The old connection has something to say.
    first.stop()
    waitForThread()
    second.open(gate: "go")
    #expect(behind.waitForEnd())
    #expect(behind.record.withLock { $0.body } == Array("ok".utf8))
    second.stop()
    return !isTaken
  }

  @Test func `a closed connection that a child of the process still holds takes no watch from the next one`() async {
    await #expect(processExitsWith: .success) {
      var attempts = 0
      while attempts < 5, try !Self.loadsBehindClosedConnection() { attempts += 1 }
      #expect(attempts < 5, "another thread took the number each time")
    }
  }
}
