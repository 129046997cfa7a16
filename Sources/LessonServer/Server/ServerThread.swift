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
    let start = Unmanaged.passRetained(Start(body))
    var thread = pthread_t()
    guard create(&thread, start.toOpaque()) == 0 else {
      start.release()
      return nil
    }
    return thread
  }

  /// The attributes lie in memory of their own: several C modules declare the type, and its Swift initializer may come from one
  /// that this file does not import.
  private static func create(_ thread: inout pthread_t, _ argument: UnsafeMutableRawPointer) -> CInt {
    withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { memory in
      guard let attributes = memory.baseAddress, pthread_attr_init(attributes) == 0 else { return ENOMEM }
      defer { pthread_attr_destroy(attributes) }
      pthread_attr_setstacksize(attributes, 256 << 10)
      return pthread_create(&thread, attributes, entry, argument)
    }
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
