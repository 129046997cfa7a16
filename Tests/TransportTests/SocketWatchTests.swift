// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import Transport

/// What the I/O thread keeps of sockets that are wanted no more.
@Suite struct SocketWatchTests {
  /// EPOLLIN (epoll_ctl(2)).
  private static let input: UInt32 = 1

  /// Runs `body` with both ends of a pair on a thread of its own kind.
  private static func onThread(_ body: @escaping @Sendable (IOThread, Int32) -> Void) async throws {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let (thread, socket) = (IOThread(), ends[0])
    await withCheckedContinuation { done in
      thread.post {
        body(thread, socket)
        done.resume()
      }
    }
    thread.stop()
    for end in ends { close(end) }
  }

  @Test func `the watch of a lookup's socket ends with the wish, and a child does not inherit it`() async throws {
    try await Self.onThread { thread, socket in
      thread.want(Self.input, of: socket, pool: 1)
      #expect(thread.watchedEvents(of: socket) == Self.input)
      #expect(fcntl(socket, F_GETFD) & FD_CLOEXEC != 0)
      thread.want(0, of: socket, pool: 1)
      #expect(thread.watchedEvents(of: socket) == 0)
      // The next socket of this number is one that the kernel does not know yet.
      thread.want(Self.input, of: socket, pool: 1)
      #expect(thread.watchedEvents(of: socket) == Self.input)
    }
  }

  @Test func `a connection's socket stays watched until it closes`() async throws {
    try await Self.onThread { thread, socket in
      thread.socketOpens(socket)
      thread.want(Self.input, of: socket, pool: 1)
      thread.want(0, of: socket, pool: 1)
      #expect(thread.watchedEvents(of: socket) == Self.input)
      thread.socketCloses(socket)
      #expect(thread.watchedEvents(of: socket) == 0)
    }
  }
}
