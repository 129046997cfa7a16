// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Locking
import Subprocess
import SystemPackage

/// Runs one example as a process of its own, in a process group of its own, and answers when it has ended, however
/// that came about.
struct ChildProcess: Sendable {
  /// How long a child that is asked to end (TERM) may take before it is made to (KILL).
  static let grace = Duration.seconds(1)
  private static let keptLines = 200

  /// The executable that understands the hidden subcommands.
  var executable: String
  /// The file with the authorities it trusts, in PEM.
  var authorities: String
  /// The command that starts the executable within a sandbox; empty for none.
  var wrapper: [String] = []
  /// Finds the place at which the program ended itself.
  var places: TrapPlace.Finder?

  /// Spawns the child and waits for its end, at most `limit` for its start, `limit` for its program and a second. Meanwhile it is stopped for as long as `stop`
  /// says, if at all.
  ///
  /// - Throws: `LessonKitError` with code `environment` when it cannot be spawned; `CancellationError` when the task was
  ///   cancelled, after the child has ended.
  func run(_ invocation: ExampleInvocation, limit: Duration, stop: Circumstances.Stretch? = nil) async throws
    -> ChildReport
  {
    let argument = String(decoding: try JSONEncoder().encode(invocation), as: UTF8.self)
    let command = wrapper + [executable]
    let began = ContinuousClock.now
    do {
      let result = try await Subprocess.run(
        .path(FilePath(command[0])), arguments: Arguments(command.dropFirst() + [ChildCommands.example, argument]),
        environment: environment(scratch: invocation.scratch), platformOptions: .child,
        input: .inputWriter, output: .sequence, error: .sequence
      ) { execution in
        try await Self.attend(execution, limit: limit, stop: stop, limits: invocation.limits)
      }
      try Task.checkCancellation()
      var report = result.closureResult
      report.wall = (ContinuousClock.now - began) / .seconds(1)
      report.end = ChildReport.End(result.terminationStatus, isWrapped: !wrapper.isEmpty)
      let addresses = TrapPlace.takeAddresses(from: &report.printed)
      if case .signaled = report.end, !addresses.isEmpty { report.trap = await places?(addresses) }
      return report
    } catch let error as SubprocessError {
      try Task.checkCancellation()
      throw LessonKitError(
        .environment, "The example's process could not be started from \(executable): \(error). Is it still there?")
    }
  }

  /// Temporary files go where they are removed even if the child is killed, and a crash stays one line long. The agent of
  /// background sessions is one of the example's own, which ends soon after it; a program that was compiled elsewhere
  /// uses the one beside this executable.
  private func environment(scratch: String) -> Subprocess.Environment {
    let environment = Subprocess.Environment.inherit.updating([
      "TMPDIR": scratch, "SWIFT_BACKTRACE": "enable=no", "SSL_CERT_FILE": authorities, "XDG_STATE_HOME": scratch,
      "XDG_RUNTIME_DIR": scratch, "WORKBENCH_TRANSFER_AGENT_IDLE": "1",
    ])
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let agent = own.appendingPathComponent("url-transfer-agent").path
    guard ProcessInfo.processInfo.environment["WORKBENCH_TRANSFER_AGENT"] == nil,
      FileManager.default.isExecutableFile(atPath: agent)
    else { return environment }
    return environment.updating(["WORKBENCH_TRANSFER_AGENT": agent])
  }

  private static func attend(
    _ execution: Execution<CustomWriteInput, SequenceOutput, SequenceOutput>, limit: Duration,
    stop: Circumstances.Stretch?, limits: ProgramLimits?
  ) async throws -> ChildReport {
    let pid = execution.processIdentifier.value
    let watch = ChildWatch(pid, limits)
    let started = Locked<ContinuousClock.Instant?>(nil)
    let seal = ResultSeal()
    // A child that has ended already takes no key; its end says why.
    _ = try? await execution.standardInputWriter.write(seal.keyLine)
    async let messages = readMessages(execution.standardOutput, seal) { preparation in
      preparation.baseline = watch.programStarted(with: preparation.baseline)
      started.withLock { $0 = .now }
      return try await Self.halt(pid, stop, after: preparation.started)
    }
    async let printed = watch.lines(of: execution.standardError, keeping: keptLines)
    async let watching: Void = watch.memory()
    let (usage, limitHit) = await waitForEnd(execution) {
      try await Task.sleep(for: limit)
      // The child counts from its program's start, which a busy machine delays.
      if let started = started.withLock({ $0 }) { try await Task.sleep(until: started + limit, clock: .continuous) }
    }
    kill(-pid, SIGKILL)  // what the example itself may have started, else the pipes below would stay open
    watch.end()
    await watching
    var report = ChildReport(end: .exited(0), limitHit: limitHit, usage: usage)
    try await messages.add(to: &report)
    report.printed = try await printed
    (report.exceeded, report.residentPeak) = watch.seen
    return report
  }

  /// Waits for the child's end, or brings it about when the limit is over.
  private static func waitForEnd(
    _ execution: Execution<CustomWriteInput, SequenceOutput, SequenceOutput>,
    orFor limit: @escaping @Sendable () async throws -> Void
  ) async -> (usage: ProcessUsage?, limitHit: Bool) {
    let pid = execution.processIdentifier.value
    enum Event {
      case ended(ProcessUsage?)
      case limit
    }
    return await withTaskGroup(of: Event.self) { group in
      group.addTask { .ended(await ProcessUsage.ofFinishedChild(pid)) }
      group.addTask {
        try? await limit()
        return .limit
      }
      defer { group.cancelAll() }
      var limitHit = false
      while let event = await group.next() {
        switch event {
        case .ended(let usage):
          return (usage, limitHit)
        case .limit:
          limitHit = !Task.isCancelled
          await execution.teardown(using: PlatformOptions.child.teardownSequence)
        }
      }
      return (nil, limitHit)
    }
  }

  /// The messages of a child so far.
  private struct Messages {
    var preparation: Preparation?
    var measurement: Measurement?
    var stop: Circumstances.Stretch?
    var refusal: String?
    var haveForged = false

    func add(to report: inout ChildReport) {
      (report.preparation, report.measurement, report.stop) = (preparation, measurement, stop)
      (report.isForged, report.refusal) = (haveForged, refusal)
    }
  }

  private static func readMessages(
    _ output: SubprocessOutputSequence, _ seal: ResultSeal,
    prepared: (inout Preparation) async throws -> Circumstances.Stretch?
  ) async throws -> Messages {
    var messages = Messages()
    var lines = ResultLines(seal)
    for try await buffer in output {
      for line in buffer.withUnsafeBytes({ lines.take($0) }) {
        switch try? JSONDecoder().decode(ChildMessage.self, from: VisibleText.json(BoundedNumbers.line(line))) {
        case .prepared(var told):
          guard messages.preparation == nil else { break }  // the program has no say in what it is compared with
          messages.stop = try await prepared(&told)
          messages.preparation = told
        case .refused(let why): messages.refusal = messages.refusal ?? why
        case .measured(let told): messages.measurement = messages.measurement ?? told
        case nil: break
        }
      }
    }
    messages.haveForged = lines.haveForged
    return messages
  }

  /// Stops the child's process group and lets it go on, and says when. The child has nothing to say meanwhile; should it
  /// have ended, it is not reaped yet, so nobody else has its number.
  private static func halt(
    _ child: pid_t, _ stop: Circumstances.Stretch?, after start: Double
  ) async throws -> Circumstances.Stretch? {
    guard let stop else { return nil }
    let now = { Double(Heartbeat.now()) / 1e9 }
    try await Task.sleep(for: .seconds(max(0, min(start, now()) + stop.began - now())))
    let began = now()
    kill(-child, SIGSTOP)
    defer { kill(-child, SIGCONT) }
    try await Task.sleep(for: .seconds(stop.ended - stop.began))
    return Circumstances.Stretch(began: began, ended: now())
  }
}

extension PlatformOptions {
  /// A process group of its own, ended as a whole.
  static var child: PlatformOptions {
    var options = PlatformOptions()
    options.processGroupID = 0
    options.teardownSequence = [
      .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: ChildProcess.grace)
    ]
    return options
  }
}

extension ChildReport.End {
  /// How a process ended. A wrapper says in its exit status, as a shell does, which signal ended the program in it.
  init(_ status: TerminationStatus, isWrapped: Bool = false) {
    switch status {
    case .exited(let code) where isWrapped && (129..<160).contains(code): self = .signaled(code - 128)
    case .exited(let code): self = .exited(code)
    case .signaled(let signal): self = .signaled(signal)
    }
  }
}
