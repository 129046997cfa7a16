// SPDX-License-Identifier: Apache-2.0
public import LessonKit
import Locking
import Recorder

/// What a command did, and each process of it that links the libraries.
public struct CommandResult: Codable, Sendable, Hashable {
  /// The command and its arguments.
  public var command: [String]
  /// Its exit status; 128 and the signal's number where a signal ended it.
  public var status: Int32
  /// Seconds from its start to its end.
  public var wall: Double
  /// The memory of the command's own process.
  public var memory: MemoryUse
  /// The most threads that the command's own process had at once.
  public var threads: Int
  /// The processes that link the libraries, in the order in which they first used them.
  public var processes: [ProcessResult]
  /// How many more there were at once than can be measured.
  public var refused = 0
  /// How many connections brought nothing but what no recorder writes.
  public var liars = 0
}

/// Runs a command as it is, its terminal and its signals included, and measures it.
public enum ProgramMeasurement {
  /// Runs `command` to its end.
  ///
  /// - Parameter showsQueries: whether values in the queries of addresses are told.
  /// - Throws: `CommandNotStarted` where the command cannot be started.
  public static func run(_ command: [String], showsQueries: Bool) async throws -> CommandResult {
    let reader = try RingReader(showsQueries: showsQueries)
    let own = Locked<(process: Int32, gauge: ProcessGauge)?>(nil)
    reader.begin { instant in own.withLock { $0?.gauge.sample(at: instant) } }
    let start = ContinuousClock.now
    let signals = PassedSignals()
    defer { signals.restore() }
    let status: Int32
    do {
      let process = try SpawnedCommand.start(command, at: reader.path)
      var gauge = ProcessGauge(process)
      gauge.sample(at: 0)
      own.withLock { $0 = (process, gauge) }
      signals.pass(to: process)
      status = await SpawnedCommand.end(of: process)
    } catch {
      _ = reader.finish()
      throw error
    }
    let wall = (ContinuousClock.now - start) / .seconds(1)
    let (processes, known) = (reader.finish(), own.withLock { $0 })
    // A process that links the libraries was sampled by itself, too.
    let same = processes.filter { $0.process == known?.process }
    return CommandResult(
      command: command.map { ShownText.of($0, showsQueries: showsQueries) }, status: status, wall: wall,
      memory: MemoryUse(
        peak: max(known?.gauge.peak ?? 0, same.map(\.memory.peak).max() ?? 0), curve: known?.gauge.curve ?? []),
      threads: max(known?.gauge.threads ?? 0, same.map(\.threads).max() ?? 0), processes: processes,
      refused: reader.refused, liars: reader.liars)
  }
}
