// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Locking

/// A thread whose run loop runs in the default mode for the rest of the process, for the calls of a program's own protocols.
///
/// Work that a protocol schedules in the current run loop comes there: a connection, a timer, a block. A source brings the
/// calls, one a turn, so that a call which runs the loop itself lets the next ones in, and the loop's run returns behind each,
/// as behind what it waits for. It is Foundation's own `RunLoop._Source`: one of CoreFoundation takes members of Glibc's types
/// away from what imports this module. Its signal wakes no loop, which a timer without delay does (17 µs in all).
final class ProtocolThread: Sendable {
  /// Gets the thread on which it runs.
  typealias Call = @Sendable (ProtocolThread) -> Void

  /// Which of the threads it is, from 0 on.
  let number: Int
  private let place = Locked<(loop: RunLoop, source: Source)?>(nil)

  private init(_ number: Int) { self.number = number }

  /// Starts another one; nil where the system has no thread left. Foundation's threads do not tell whether they have started.
  static func start(_ number: Int) -> ProtocolThread? {
    let new = ProtocolThread(number)
    var thread = pthread_t()
    let this = unsafe Unmanaged.passRetained(new)
    let reason = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<ProtocolThread>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, unsafe this.toOpaque())
    guard reason == 0 else {
      unsafe this.release()
      return nil
    }
    pthread_detach(thread)
    return new
  }

  /// Has the thread take the next call soon. Any thread.
  func wake() {
    let timer = Timer(fire: Date(), interval: 0, repeats: false) { _ in }
    // Before there is a loop, its start sees to what waits. Neither call runs anything of the program's.
    place.withLock { place in
      place?.source.signal()
      place?.loop.add(timer, forMode: .default)
    }
  }

  /// Runs `call` on this thread, after what it does just now. Any thread.
  func post(_ call: @escaping Call) {
    ProtocolThreads.keep(call, for: self)
    wake()
  }

  private func run() {
    Thread.current.name = "url-protocols"
    let source = Source(self)
    RunLoop.current._add(source, forMode: .default)
    place.withLock { $0 = (.current, source) }
    wake()
    while RunLoop.current.run(mode: .default, before: .distantFuture) {}
  }

  fileprivate func takeTurn() {
    guard let (call, isLast) = ProtocolThreads.next(on: self) else { return }
    // A call that waits comes with the next turn, also of a loop which this call runs itself.
    if !isLast { wake() }
    call(self)
    ProtocolThreads.ended(on: self)
  }
}

private final class Source: RunLoop._Source {
  private let thread: ProtocolThread

  init(_ thread: ProtocolThread) {
    self.thread = thread
    super.init()
  }

  override func perform() { thread.takeTurn() }
}
