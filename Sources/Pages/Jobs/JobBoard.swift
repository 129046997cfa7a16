// SPDX-License-Identifier: Apache-2.0
import Exercises
import LessonKit
import Locking

/// The one job that runs, or ran last, and what it has said so far. Browsers watch it, each at its own pace: a slow
/// one holds no other up.
final class JobBoard: Sendable {
  /// How far a job is.
  enum State: Sendable, Hashable {
    case running
    case finished
    case stopped
    case failed(Phrase)
  }

  /// A job as it is now.
  struct Job: Sendable {
    /// Its number, from 1.
    var number: Int
    var order: JobRequest
    var state = State.running
    var events: [JobEvent] = []
  }

  private struct Content {
    var job: Job?
    var isStopping = false
    /// Set once the site ends: no job begins from then on.
    var hasEnded = false
    var stop: AsyncStream<Void>.Continuation?
    var task: Task<Void, Never>?
    var checks: [String: CheckReport] = [:]
    var goods: [String: MeasuredRun] = [:]
    var counts: [String: Int] = [:]
    var judgements: [String: Phrase] = [:]
    var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    var nextWatcher = 0
  }

  private let content = Locked(Content())
  private let child: JobChild

  init(executable: String) {
    child = JobChild(executable: executable)
  }

  /// The job that runs, or ran last.
  var job: Job? { content.withLock { $0.job } }
  /// True if one runs.
  var isRunning: Bool { job?.state == .running }
  /// Returns the report of the last check of an exercise, as long as this server runs.
  func check(of exercise: String) -> CheckReport? { content.withLock { $0.checks[exercise] } }
  /// The run of the good example of an exercise's lesson, once a check has made it.
  func good(of exercise: String) -> MeasuredRun? { content.withLock { $0.goods[exercise] } }
  /// How many checks of an exercise have come to their end since this server started.
  func checks(of exercise: String) -> Int { content.withLock { $0.counts[exercise, default: 0] } }
  /// Returns the judgement of a run on the student's answer.
  func judgement(on run: String) -> Phrase? { content.withLock { $0.judgements[run] } }

  // MARK: - Starting and stopping

  /// Starts a job; false where one runs already, or the site ends.
  func start(_ order: JobRequest) -> Bool {
    let (stops, stop) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    return content.withLock { content in
      guard content.job?.state != .running, !content.hasEnded else { return false }
      let number = (content.job?.number ?? 0) + 1
      content.job = Job(number: number, order: order)
      (content.isStopping, content.stop) = (false, stop)
      // Under the lock, so that there is no job whose end cannot be awaited.
      let known = content.goods
      content.task = Task { await run(order.without(known), stops) }
      return true
    }
  }

  private func run(_ order: JobRequest, _ stops: AsyncStream<Void>) async {
    var failure: Phrase?
    do {
      try await child.run(order, stops: stops) { [self] in take($0) }
    } catch {
      failure = (error as? LessonKitError)?.phrase ?? Phrase(verbatim: "\(error)")
    }
    let watchers = content.withLock { content in
      let events = content.job?.events ?? []
      content.job?.state = Self.end(of: events, failure, isStopping: content.isStopping)
      // Pages ask for the outcome when this number changes, and a check writes the student's notes after it has told the result.
      for case .checked(let report) in events { content.counts[report.exercise, default: 0] += 1 }
      return Array(content.watchers.values)
    }
    for watcher in watchers { watcher.yield() }
  }

  /// Reads the end from the events. A child that ended without a result was ended from outside.
  private static func end(of events: [JobEvent], _ failure: Phrase?, isStopping: Bool) -> State {
    if let failure { return .failed(failure) }
    for event in events {
      if case .failed(let why) = event { return .failed(why) }
    }
    if isStopping { return .stopped }
    for event in events {
      switch event {
      case .stored, .checked: return .finished
      case .progress, .row, .compared, .failed: continue
      }
    }
    return .failed("The run's process was ended from outside of the workbench. Start it again.")
  }

  /// Asks the job that runs to end, as Ctrl-C does. Once is enough.
  func stop() {
    let stop = content.withLock { content -> AsyncStream<Void>.Continuation? in
      guard content.job?.state == .running else { return nil }
      content.isStopping = true
      return content.stop
    }
    stop?.yield()
  }

  /// Ends the job that runs, if any, and waits until its processes are gone.
  func end() async {
    content.withLock { $0.hasEnded = true }
    stop()
    await content.withLock { $0.task }?.value
  }

  private func take(_ event: JobEvent) {
    let watchers = content.withLock { content in
      content.job?.events.append(event)
      if case .checked(let report) = event { content.checks[report.exercise] = report }
      if case .compared(let exercise, let run) = event { content.goods[exercise] = run }
      if case .stored(let id, let judgement?) = event { content.judgements[id] = judgement }
      return Array(content.watchers.values)
    }
    for watcher in watchers { watcher.yield() }
  }

  // MARK: - Watching

  /// An element at once, and one after something has changed; changes between two reads are one.
  func changes() -> AsyncStream<Void> {
    let (changes, watcher) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = content.withLock { content in
      content.nextWatcher += 1
      content.watchers[content.nextWatcher] = watcher
      return content.nextWatcher
    }
    watcher.onTermination = { [weak self] _ in _ = self?.content.withLock { $0.watchers.removeValue(forKey: number) } }
    watcher.yield()
    return changes
  }
}

extension JobRequest {
  /// The order without the good example whose run is known.
  fileprivate func without(_ known: [String: MeasuredRun]) -> JobRequest {
    guard case .check(var order) = self, known[order.exercise] != nil else { return self }
    order.wantsGoodExample = false
    return .check(order)
  }
}
