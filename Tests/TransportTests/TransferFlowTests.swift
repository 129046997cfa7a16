// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing
import Transport

@Suite struct TransferFlowTests {
  @Test func `a pause stops the server, and resuming loses and repeats nothing`() async throws {
    try await withServer { server, transport in
      let paused = DispatchSemaphore(value: 0)
      let first = Locked(true)
      let probe = TransferProbe { _ in
        guard
          first.withLock({ first in
            defer { first = false }
            return first
          })
        else { return .proceed }
        paused.signal()
        return .pause
      }
      let transfer = transport.start(
        TransferRequest(url: server.url("/body?size=32MiB&seed=4")), consumer: probe)
      #expect(paused.waitPatiently())
      // Another transfer goes on meanwhile, and what the first has delivered does not grow.
      let other = TransferProbe()
      _ = transport.start(TransferRequest(url: server.url("/body?size=8MiB&seed=5")), consumer: other)
      #expect(other.waitForEnd())
      #expect(probe.record.withLock { $0.received } <= 16 * 1024)
      transfer.resume()
      #expect(probe.waitForEnd())
      #expect(probe.checksum() == SeededBody.checksum(seed: 4, size: 32 << 20))
    }
  }

  @Test func `pausing at every piece is slow but whole`() async throws {
    try await withServer { server, transport in
      let holder = Locked<Transfer?>(nil)
      let probe = TransferProbe { _ in
        holder.withLock { $0 }?.resume()
        return .pause
      }
      holder.withLock {
        $0 = transport.start(TransferRequest(url: server.url("/body?size=2MiB&seed=6")), consumer: probe)
      }
      holder.withLock { $0 }?.resume()
      #expect(probe.waitForEnd())
      #expect(probe.checksum() == SeededBody.checksum(seed: 6, size: 2 << 20))
      holder.withLock { $0 = nil }
    }
  }

  @Test func `a pause ends with its transfer, and holds up no other`() async throws {
    try await withServer { server, transport in
      for round in 1...3 {
        let paused = DispatchSemaphore(value: 0)
        let probe = TransferProbe { _ in
          paused.signal()
          return .pause
        }
        let transfer = transport.start(TransferRequest(url: server.url("/body?size=1MiB&seed=7")), consumer: probe)
        #expect(paused.waitPatiently())
        transfer.cancel()
        #expect(probe.waitForEnd())
        let next = TransferProbe()
        _ = transport.start(TransferRequest(url: server.url("/body?size=1MiB&seed=\(round)")), consumer: next)
        #expect(next.waitForEnd())
        #expect(next.checksum() == SeededBody.checksum(seed: UInt64(round), size: 1 << 20))
      }
    }
  }

  @Test func `what libcurl held back and cannot be decoded ends the transfer as soon as it goes on`() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nno"
    try await withServer([Route("/no", script: [.text(head)])]) { server, transport in
      // On a connection that is used again; while it is made, libcurl's own timers would come to help.
      let first = TransferProbe()
      _ = transport.start(TransferRequest(url: server.url("/ok")), consumer: first)
      #expect(first.waitForEnd())
      let paused = DispatchSemaphore(value: 0)
      let probe = TransferProbe(headFlow: {
        paused.signal()
        return .pause
      })
      var request = TransferRequest(url: server.url("/no"))
      request.decodesContent = true
      // Without an idle limit nothing else would ever end it.
      request.idleTimeout = nil
      let transfer = transport.start(request, consumer: probe)
      #expect(paused.waitPatiently())
      transfer.resume()
      #expect(probe.waitForEnd())
      #expect(probe.record.withLock { $0.failure?.cause } == .undecodableContent)
      #expect(probe.record.withLock { $0.ends } == 1)
    }
  }

  private static let zerosLength = 64 << 20
  /// What a decoder delivers in two turns, with a piece of 64 KiB in which each of them ends.
  private static let twoTurns = 2 * 1_114_112

  /// A body of 64 KiB that grows to 64 MiB.
  private static let zeros: Route = {
    let body = DecoderChainTests.compress([UInt8](repeating: 0, count: zerosLength), windowBits: 31)
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n"
    return Route("/zeros", script: [.text(head), .bytes(body)])
  }()

  @Test func `a pause while the decoder waits for its turn holds until the transfer is resumed`() async throws {
    try await withServer([Self.zeros]) { server, transport in
      var request = TransferRequest(url: server.url("/zeros"))
      request.decodesContent = true
      let holder = Locked<Transfer?>(nil)
      let paused = DispatchSemaphore(value: 0)
      let probe = TransferProbe(keepsBody: false) { total in
        // The first piece: what it asks for comes before the next turn.
        if total <= 64 << 10 {
          Transport.whenIdle {
            holder.withLock { $0?.pauseAtOnce() }
            paused.signal()
          }
        }
        return .proceed
      }
      holder.withLock { $0 = transport.start(request, consumer: probe) }
      #expect(paused.waitPatiently())
      let other = TransferProbe()
      _ = transport.start(TransferRequest(url: server.url("/ok")), consumer: other)
      #expect(other.waitForEnd())
      #expect(probe.record.withLock { $0.received } <= Self.twoTurns)
      holder.withLock { $0?.resume() }
      #expect(probe.waitForEnd())
      #expect(probe.record.withLock { $0.received } == Self.zerosLength)
      holder.withLock { $0 = nil }
    }
  }

  @Test func `a body that grows keeps the thread for no more than a turn or two`() async throws {
    try await withServer([Self.zeros]) { server, transport in
      var request = TransferRequest(url: server.url("/zeros"))
      request.decodesContent = true
      // A cancel is a job of the thread like any other transfer's: it runs before the next turn, or, where another transfer's turn
      // was due at once, before the one after that.
      let holder = Locked<Transfer?>(nil)
      let probe = TransferProbe(keepsBody: false) { _ in
        holder.withLock { $0?.cancel() }
        return .proceed
      }
      holder.withLock { $0 = transport.start(request, consumer: probe) }
      #expect(probe.waitForEnd())
      #expect(probe.record.withLock { $0.failure?.cause } == .cancelled)
      #expect(probe.record.withLock { $0.received } <= Self.twoTurns)
      holder.withLock { $0 = nil }
      // Undisturbed it comes as a whole, turn by turn.
      let whole = TransferProbe(keepsBody: false)
      _ = transport.start(request, consumer: whole)
      #expect(whole.waitForEnd())
      #expect(whole.record.withLock { $0.failure } == nil)
      #expect(whole.record.withLock { $0.received } == Self.zerosLength)
    }
  }

  @Test func `a connection is kept for the next request however many others are in use`() async throws {
    try await onThread {
      let servers = (0..<3).map { _ in LessonServer() }
      for server in servers { try server.start() }
      defer { for server in servers { server.stop() } }
      let transport = Transport(connectionsPerHost: 40)
      // More than the 64 that are kept idle.
      let held = servers[..<2].flatMap { server in
        (0..<40).map { _ in transport.start(TransferRequest(url: server.url("/never")), consumer: TransferProbe()) }
      }
      for server in servers[..<2] { #expect(server.log.waitForRequests(40, within: .seconds(TestMachine.patience))) }
      for _ in 0..<2 {
        let probe = TransferProbe()
        _ = transport.start(TransferRequest(url: servers[2].url("/1k")), consumer: probe)
        #expect(probe.waitForEnd())
      }
      #expect(servers[2].log.snapshot().sockets.count == 1)
      for transfer in held { transfer.cancel() }
    }
  }

  @Test func `the idle limit ends a silent transfer, and a slow one goes on`() async throws {
    try await withServer { server, transport in
      var request = TransferRequest(url: server.url("/never"))
      request.idleTimeout = .milliseconds(250)
      let silent = TransferProbe()
      let start = ContinuousClock.now
      _ = transport.start(request, consumer: silent)
      #expect(silent.waitForEnd())
      #expect(silent.record.withLock { $0.failure?.cause } == .timedOut)
      #expect(ContinuousClock.now - start >= .milliseconds(250))
      request.url = server.url("/body?size=48KiB&rate=32KiB")
      request.idleTimeout = .seconds(10)
      let slow = TransferProbe()
      _ = transport.start(request, consumer: slow)
      #expect(slow.waitForEnd())
      #expect(slow.record.withLock { $0.failure } == nil)
    }
  }

  @Test func `what the peer takes of a body is progress, and a peer that takes nothing is silent (NF-03)`() async throws
  {
    // The server's slowness is what is tested, and no event stands for it: the server reads at most 256 KiB of the first
    // 2 MiB in half a second, and the rest at once.
    let received = Locked(0)
    let takes = Step.receive(
      { piece in
        let count = received.withLock { received in
          received += piece.count
          return received
        }
        // The pause under test: a slow server, not a wait for something to happen.
        if count < 2 << 20 { usleep(500_000) }
      }, atMost: nil)
    let slow: [Step] = [takes, .response(Response(200, body: .bytes([1])))]
    try await withServer([
      Route("/slow", script: Script(slow, readsBodyFirst: false)),
      Route("/nothing", script: Script([.gate("never")], readsBodyFirst: false)),
    ]) { server, transport in
      // The kernel takes the last of the body long before the server does.
      var request = TransferRequest(url: server.url("/slow"), method: "POST")
      request.body = .bytes(Data(count: 3 << 20))
      request.idleTimeout = .seconds(2)
      let taken = TransferProbe()
      _ = transport.start(request, consumer: taken)
      request.url = server.url("/nothing")
      let silent = TransferProbe()
      _ = transport.start(request, consumer: silent)
      #expect(taken.waitForEnd() && silent.waitForEnd())
      #expect(taken.record.withLock { $0.failure } == nil)
      #expect(taken.record.withLock { $0.received } == 1)
      #expect(silent.record.withLock { $0.failure?.cause } == .timedOut)
    }
  }

  @Test func `what is read in a turn in which the thread stands still was no silence (NF-02)`() async throws {
    let held = Route(
      "/held",
      script: [
        .text("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf"), .gate("rest"), .text("half"),
      ])
    try await withServer([held]) { server, transport in
      var request = TransferRequest(url: server.url("/held"))
      request.idleTimeout = .seconds(1)
      let probe = TransferProbe { total in
        guard total == 4 else { return .proceed }
        // The pause is what is tested: it keeps the thread from running for longer than the idle limit, as a stopped process
        // does. The rest is sent when the thread has looked at its deadlines and found no socket to read.
        usleep(1_100_000)
        Transport.whenIdle { server.open(gate: "rest") }
        return .proceed
      }
      _ = transport.start(request, consumer: probe)
      #expect(probe.waitForEnd())
      #expect(probe.record.withLock { $0.failure } == nil)
      #expect(probe.record.withLock { $0.received } == 8)
    }
  }

  @Test func `the total limit ends a transfer that drips`() async throws {
    try await withServer { server, transport in
      var request = TransferRequest(url: server.url("/body?size=1MiB&rate=64KiB"))
      request.totalTimeout = .seconds(1)
      let probe = TransferProbe()
      _ = transport.start(request, consumer: probe)
      #expect(probe.waitForEnd())
      #expect(probe.record.withLock { $0.failure?.cause } == .timedOut)
    }
  }

  @Test func `waiting below the limit of connections does not count as idle`() async throws {
    try await withServer(connectionsPerHost: 1) { server, transport in
      let long = TransferProbe()
      _ = transport.start(
        TransferRequest(url: server.url("/wait?seconds=12")), consumer: long)
      var request = TransferRequest(url: server.url("/ok"))
      request.idleTimeout = .seconds(10)
      let queued = TransferProbe()
      _ = transport.start(request, consumer: queued)
      #expect(queued.waitForEnd())
      #expect(queued.record.withLock { $0.failure } == nil)
      #expect(long.waitForEnd())
      #expect(server.log.counts.opened == 1)
    }
  }

  @Test func `no more connections than the limit are opened`() async throws {
    try await withServer(connectionsPerHost: 3) { server, transport in
      let probes = (0..<30).map { _ in TransferProbe() }
      for probe in probes {
        _ = transport.start(TransferRequest(url: server.url("/body?size=100KiB")), consumer: probe)
      }
      for probe in probes { #expect(probe.waitForEnd()) }
      #expect(server.log.counts.opened <= 3)
      #expect(probes.allSatisfy { $0.record.withLock { $0.received } == 100 * 1024 })
    }
  }

  @Test func `a response nobody asked for is never taken for an answer`() async throws {
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
    let evil = Route(
      "/one", script: [.text(answer + "fine"), .gate("later"), .text(answer + "EVIL")])
    try await withServer([evil]) { server, transport in
      let first = TransferProbe()
      _ = transport.start(TransferRequest(url: server.url("/one")), consumer: first)
      #expect(first.waitForEnd())
      server.open(gate: "later")
      _ = server.log.settled(within: .seconds(TestMachine.patience))
      let second = TransferProbe()
      _ = transport.start(TransferRequest(url: server.url("/ok")), consumer: second)
      #expect(second.waitForEnd())
      #expect(second.record.withLock { String(decoding: $0.body, as: UTF8.self) } == "ok")
    }
  }

  @Test func `cancelling at any moment ends each transfer once`() async throws {
    try await withServer { server, transport in
      let probes = (0..<120).map { _ in TransferProbe(keepsBody: false) }
      var transfers: [Transfer] = []
      for (index, probe) in probes.enumerated() {
        let transfer = transport.start(
          TransferRequest(url: server.url("/body?size=\(index % 3)MiB")), consumer: probe)
        transfers.append(transfer)
        if index.isMultiple(of: 2) {
          Thread.detachNewThread { transfer.cancel() }
        }
      }
      for probe in probes { #expect(probe.waitForEnd()) }
      for transfer in transfers { transfer.cancel() }
      for (index, probe) in probes.enumerated() {
        let record = probe.record.withLock { $0 }
        #expect(record.ends == 1)
        #expect(record.afterEnd == 0)
        if !index.isMultiple(of: 2) { #expect(record.failure == nil) }
      }
    }
  }

  @Test func `shutting down ends what is under way`() async throws {
    try await withServer { server, transport in
      let probe = TransferProbe()
      _ = transport.start(TransferRequest(url: server.url("/never")), consumer: probe)
      #expect(server.log.waitForRequests(1, within: .seconds(TestMachine.patience)))
      transport.shutdown()
      #expect(probe.waitForEnd())
      #expect(probe.record.withLock { $0.failure?.cause } == .cancelled)
    }
  }
}
