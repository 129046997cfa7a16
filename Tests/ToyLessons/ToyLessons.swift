// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import Glibc
import LessonKit
import LessonServer
import Timeline

/// An executable whose examples misbehave in every way that a lesson's example could.
@main enum ToyLessons {
  static func main() {
    ChildCommands.enterIfAsked(lessons: [lesson])
  }

  static let lesson = Lesson(
    number: 98, slug: "toys", title: "Toys", minutes: 1,
    examples: [
      toy("load", run: LoadByHand().run()),
      toy("allocate") { _ in allocate(32 << 20) },
      toy("block") { _ in usleep(300_000) },
      toy("threads") { _ in startThreads(3) },
      toy("print") { _ in for line in 1...3 { print(#"{"measured":\#(line)}"#) } },
      toy("off-main") { context in
        Thread.detachNewThread { context.quit() }
        context.runApplication()
      },
      toy("asks-again") { _ in for _ in 0..<60 { usleep(1000) } },
      toy("waits") { context in
        Thread.detachNewThread {
          usleep(500_000)
          context.quit()
        }
        context.runApplication()
      },
      toy("lines") { _ in printOnTwoThreads() },
      toy("touched") { context in
        Thread.detachNewThread {
          for _ in 0..<40 {
            LoadByHand().run()(context)
            // Loads spread over the touch, so that some fall before it, into it and behind it.
            usleep(20_000)
          }
          context.quit()
        }
        let timer = Timer(timeInterval: 0.1, repeats: true) { _ in print("tick") }
        RunLoop.main.add(timer, forMode: .default)
        context.runApplication()
      }.touched(after: 0.2, for: 0.4),
      toy("quiet", endsAs: .timedOut) { $0.runApplication() }.limited(to: .seconds(1)),
      toy("frozen") { _ in workUntilStopped() }.stopped(after: 0, for: 0.5),
      toy("late") { _ in
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.3) { print("late") }
      }.watchedAfterwards(for: .milliseconds(600)),
      toy("files") { context in
        let body = Data(SeededBody(seed: 5).bytes(0..<4096))
        try? body.write(to: context.scratch.appendingPathComponent("whole"))
        try? (Data("old".utf8) + body).write(to: context.scratch.appendingPathComponent("mixed"))
        try? body.dropLast().write(to: context.scratch.appendingPathComponent("short"))
      },
      toy("write") { context in try? Data(count: 10).write(to: context.scratch.appendingPathComponent("file")) },
      toy("hang", endsAs: .timedOut) { context in
        Timeline.emit(.enqueued(destination: "thread 5 in mode default"), subject: Timeline.nextSubject())
        context.runApplication()
      },
      toy("no-loop", endsAs: .timedOut) { context in
        let request = URLRequest(url: context.url)
        Thread.detachNewThread {
          _ = NSURLConnection(request: request, delegate: Deaf())
          while true { sleep(1) }
        }
        context.runApplication()
      },
      toy("stuck", endsAs: .timedOut) { _ in while true { sleep(1) } },
      toy("stopped", endsAs: .timedOut) { _ in kill(getpid(), SIGSTOP) },
      toy("crash") { _ in fatalError("on purpose") },
      toy("exit", endsAs: .failed) { _ in exit(7) },
      toy("child") { _ in spawnSleeper() },
      toy("meets-1") { Meeting($0).come(as: "1", O_RDONLY) }.besideOthers(),
      toy("alone") { Meeting($0).comeAlone() },
      toy("meets-2") { Meeting($0).come(as: "2", O_WRONLY) }.besideOthers(),
      toy("holds", endsAs: .timedOut) { $0.runApplication() }.besideOthers(),
      toy("quick", run: LoadByHand().run()).besideOthers(),
    ],
    claims: [
      Claim("N1-11", needs: ["connection/load"]) { results in
        let load = try results.first("connection/load")
        let pieces = load.recording.loads.first?.pieces ?? 0
        return Settlement(pieces >= 2 ? .confirmed : .refuted, measured: "\(pieces) pieces", bound: "at least 2")
      },
      Claim("N2-06", needs: ["connection/write"], leastBody: 1 << 20) { _ in
        Settlement(.confirmed, measured: "", bound: "")
      },
      Claim("N1-12", needs: ["connection/crash"]) { results in
        _ = try results.first("connection/crash")
        return Settlement(.confirmed, measured: "", bound: "")
      },
    ])

  private static func toy(
    _ name: String, endsAs end: Outcome.Kind = .finished, run: @escaping @Sendable (ExampleContext) -> Void
  ) -> Example {
    Example(
      "connection/\(name)", .connection, name, file: "ToyLessons.swift", loads: .body(divisor: 1), endsAs: end,
      run: run)
  }

  private final class Deaf: NSObject, NSURLConnectionDataDelegate {}

  /// Takes memory, uses it, holds it for a moment and gives it back.
  private static func allocate(_ size: Int) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 4096)
    memset(memory, 1, size)
    usleep(50_000)
    memory.deallocate()
  }

  /// Works in steps of a millisecond until a step lasts so long that the process must have been stopped in it.
  private static func workUntilStopped() {
    var last = ContinuousClock.now
    let end = last + .seconds(10)
    while last < end {
      // The step itself: only its measured length tells that the process was stopped.
      usleep(1000)
      let now = ContinuousClock.now
      if now - last >= .milliseconds(400) { return }
      last = now
    }
  }

  private static func startThreads(_ count: Int) {
    let go = DispatchSemaphore(value: 0)
    for _ in 0..<count { Thread.detachNewThread { go.wait() } }
    // The instrument that counts threads looks once in a tick; it must find them alive.
    usleep(100_000)
    for _ in 0..<count { go.signal() }
  }

  private static func printOnTwoThreads() {
    print("on", 1, separator: "-")
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      print("on-2")
      isDone.signal()
    }
    isDone.wait()
    // The thread's end is recorded, too: it must come before the example's own.
    usleep(100_000)
  }

  private static func spawnSleeper() {
    var pid = pid_t()
    "/bin/sleep".withCString { path in
      var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("600"), nil]
      posix_spawn(&pid, path, nil, nil, &arguments, environ)
    }
    print(pid)
  }
}
