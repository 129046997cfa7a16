// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc
import Synchronization

/// The child's side of a run: one example on the main thread, measured, reported, ended.
enum ExampleChild {
  /// Runs the example that `order` names and ends the process: with 0 once the result has been sent, with 64 when there
  /// is no such example or no key for its results on standard input.
  static func run(_ invocation: ExampleInvocation, from lessons: [Lesson]) -> Never {
    guard let seal = ResultSeal(readingFrom: STDIN_FILENO) else {
      FileHandle.standardError.write(Data("Only the workbench starts this process.\n".utf8))
      exit(64)
    }
    readNothing()
    let results = ResultPipe(seal)
    guard let lesson = lessons.first(where: { $0.id == invocation.lesson }),
      let example = lesson.examples.first(where: { $0.id == invocation.example }), let url = URL(string: invocation.url)
    else {
      FileHandle.standardError.write(Data("There is no example \(invocation.example) in \(invocation.lesson).\n".utf8))
      exit(64)
    }
    if let limit = invocation.fileLimit { limitFiles(to: limit) }
    workbench_tell_traps()
    let bench = Bench()
    bench.prepare()
    if let warmUp = lesson.warmUp[example.side], let address = invocation.warmUpURL.flatMap(URL.init(string:)) {
      warmUp(address)
    }
    let context = ExampleContext(
      url: url, scratch: URL(fileURLWithPath: invocation.scratch, isDirectory: true),
      touch: invocation.touch ?? example.circumstances.touch,
      busy: invocation.busy ?? example.circumstances.busy)
    if let refusal = invocation.limits?.enter() {
      results.send(ChildMessage.refused(refusal))
      exit(71)
    }
    let once = Once()
    let measurement = bench.measure(
      limit: invocation.limit, aftermath: invocation.aftermath.map { .seconds($0) } ?? example.circumstances.aftermath,
      prepared: { results.send(ChildMessage.prepared($0)) },
      overrun: { deliver($0, over: results, once) },
      program: { example.run(context) })
    deliver(measurement, over: results, once)
  }

  /// A program that reads its standard input is at its end at once. The pipe of the key stays open, and would make it wait.
  private static func readNothing() {
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard nothing >= 0 else { return }
    dup2(nothing, STDIN_FILENO)
    close(nothing)
  }

  /// Writing beyond the limit fails (setrlimit(2), RLIMIT_FSIZE), in place of ending the process with SIGXFSZ.
  private static func limitFiles(to bytes: Int) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }

  /// Main thread and instruments may come here at the same time: the first delivers and ends the process, the other
  /// waits for that end.
  private static func deliver(_ measurement: Measurement, over results: ResultPipe, _ once: Once) -> Never {
    if once.isFirst() {
      results.send(ChildMessage.measured(measurement))
      fflush(nil)
      _exit(0)
    }
    while true { pause() }
  }

  private final class Once: Sendable {
    private let taken = Atomic<Bool>(false)
    func isFirst() -> Bool { !taken.exchange(true, ordering: .relaxed) }
  }
}
