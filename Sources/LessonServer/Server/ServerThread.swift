// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Starts the server's own threads: small stacks, and all signals left to the program's threads.
///
/// With SIGPIPE blocked, writing to a closed connection is an error code here and never the end of the process,
/// whatever the program decided about that signal.
enum ServerThread {
  private final class Start: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// Starts a joinable thread, or answers nil when the system has no room for one.
  static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, 256 << 10)
    let start = Unmanaged.passRetained(Start(body))
    var thread = pthread_t()
    guard pthread_create(&thread, &attributes, entry, start.toOpaque()) == 0 else {
      start.release()
      return nil
    }
    return thread
  }

  private static let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { run($0) }

  private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
    start.body()
    return nil
  }
}
