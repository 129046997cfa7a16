// SPDX-License-Identifier: Apache-2.0
import CLinux
import FlyingSocks
import Foundation
import Glibc
import LessonKit

/// A server for a few browsers on this machine: one request a connection, every wait bounded.
final class WebServer: Sendable {
  /// How long a browser may take to send its request.
  private static let patience = Duration.seconds(10)
  /// How long it may take to fetch an answer.
  private static let fetching = Duration.seconds(60)

  private let listener: WebListener
  private let places = WebPlaces()
  private let answer: @Sendable (WebRequest) async -> WebAnswer

  /// The port it listens on.
  var port: UInt16 { listener.port }
  /// How many connections are open.
  var connections: Int { places.count }

  /// A server on these sockets; `answer` is called for each request, many at a time.
  init(_ listener: WebListener, answer: @escaping @Sendable (WebRequest) async -> WebAnswer) {
    self.listener = listener
    self.answer = answer
  }

  /// Serves until the task is cancelled; all sockets are closed then.
  ///
  /// - Throws: `CancellationError`; `LessonKitError` with code `environment` where the system has no event queue.
  func run() async throws {
    signal(SIGPIPE, SIG_IGN)
    let pool = SocketPool.make()
    do {
      try await pool.prepare()
    } catch {
      throw LessonKitError(.environment, "The system has no event queue left: epoll says \(error.localizedDescription)")
    }
    defer { for socket in listener.sockets { try? socket.close() } }
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await pool.run() }
        for socket in listener.sockets {
          group.addTask { try await self.accept(AsyncSocket(socket: socket, pool: pool)) }
        }
        try await group.next()
      }
    } catch {
      // Which of the sockets notices the end first, and how it says so, is chance.
      try Task.checkCancellation()
      throw error
    }
    try Task.checkCancellation()
  }

  private func accept(_ listening: AsyncSocket) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      while true {
        try Task.checkCancellation()
        let socket: AsyncSocket
        do {
          socket = try await listening.accept()
        } catch let error as SocketError {
          if case .failed(_, let number, _) = error, Self.isPassing(number) { continue }
          try await Task.sleep(for: .milliseconds(100))
          continue
        }
        WebListener.closeOnExec(socket.socket)
        guard let number = places.enter(socket.socket) else {
          try? socket.close()
          continue
        }
        group.addTask {
          await self.serve(socket, number)
          self.places.leave(number, socket.socket)
          // The next page may be asked for tomorrow.
          workbench_trim_memory()
        }
      }
    }
  }

  /// True if a failure to accept concerns this one connection: the browser went before it was let in, or a signal came. After
  /// any other, such as no descriptor, room or memory left, the next connection fails as well for a while.
  static func isPassing(_ number: Int32) -> Bool { [EAGAIN, ECONNABORTED, EINTR, EPROTO].contains(number) }

  // MARK: - One connection

  private func serve(_ socket: AsyncSocket, _ number: Int) async {
    do {
      let request = try await Deadline.within(Self.patience) { try await WebReader(socket).request() }
      guard places.hasSpoken(number) else { return }
      let answer = await answer(request)
      try await send(answer, to: socket, withBody: request.method != .head)
    } catch let refusal as WebRefusal {
      // It said no request of ours, and stays among the silent ones: a new connection takes its place at any time.
      try? await send(WebAnswer(refusal.status, "\(refusal.status.reason)\n"), to: socket, withBody: true)
      await drain(socket)
    } catch {}
  }

  private func send(_ answer: WebAnswer, to socket: AsyncSocket, withBody: Bool) async throws {
    switch answer.body {
    case .bytes(let bytes):
      let all = withBody ? answer.head + bytes : answer.head
      try await Deadline.within(Self.fetching) { try await socket.write(all) }
      shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
    case .events(let events):
      try await Deadline.within(Self.fetching) { try await socket.write(answer.head) }
      if withBody { await send(events, to: socket) }
    }
  }

  /// Sends events as they come. A browser that goes away is noticed at once, since it has nothing more to say.
  private func send(_ events: AsyncStream<String>, to socket: AsyncSocket) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await event in events {
          guard (try? await socket.write(Data(event.utf8))) != nil else { return }
        }
      }
      group.addTask {
        while (try? await socket.read(atMost: 1024)) != nil {}
      }
      await group.next()
      group.cancelAll()
    }
    shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
  }

  /// Takes what a refused browser still sends, for a while: were the socket closed over it, the refusal would be lost.
  private func drain(_ socket: AsyncSocket) async {
    try? await Deadline.within(Self.patience) {
      var left = 16 << 20
      while left > 0 { left -= try await socket.read(atMost: 4096).count }
    }
  }
}

/// Bounds the time that something may take.
enum Deadline {
  /// Runs `body`, which is cancelled after `limit`, and returns its answer.
  ///
  /// - Throws: what `body` throws, or `CancellationError` at the limit.
  static func within<Result: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await body() }
      group.addTask {
        try await Task.sleep(for: limit)
        throw CancellationError()
      }
      guard let first = try await group.next() else { throw CancellationError() }
      return first
    }
  }
}
