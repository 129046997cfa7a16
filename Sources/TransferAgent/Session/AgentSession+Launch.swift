// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import Glibc

/// When all tasks have ended and their program is not there, the agent starts it again, if it asked for that.
extension AgentSession {
  /// How long the program may take to come by itself, as one does that is started anew or has just lost its agent.
  private static let secondsUntilLaunch = 0.5

  /// The last end that a program is to be started for; nil where nothing is owed.
  private var owedLaunch: Int? {
    guard channel == nil, journal.settings.launch != nil, !tasks.isEmpty else { return nil }
    let orders = tasks.values.compactMap { $0.task.record.outcome?.order }
    guard orders.count == tasks.count, let last = orders.max(), last > journal.launched ?? 0 else { return nil }
    return last
  }

  /// Something has ended, or the program has gone.
  func considerLaunch() {
    guard pendingLaunch == nil, owedLaunch != nil else { return }
    pendingLaunch = Alarm(on: agent.queue, after: Self.secondsUntilLaunch) { [weak self] in self?.launch() }
  }

  /// Starts it, once for each time that all tasks have ended: a program that ends without taking what there is would come
  /// again and again. So it is written down before.
  private func launch() {
    pendingLaunch = nil
    defer { agent.judgeIdleness() }
    guard let order = owedLaunch, let program = journal.settings.launch else { return }
    journal.launched = order
    save { [self] in
      guard channel == nil else { return }
      do throws(TransferFault) {
        try program.start(mask: AgentMask.inherited)
        AgentLog.note("'\(program.path)' was started for '\(journal.identifier)', whose tasks have ended.")
      } catch {
        AgentLog.note("The program of '\(journal.identifier)' is not started: \(error)")
      }
    }
  }
}

/// The mask for new files that this process began with, before it took one of its own.
enum AgentMask {
  nonisolated(unsafe) private static var taken: mode_t = 0o022

  /// Takes the agent's own. Call it once, before any thread is started.
  static func take() { unsafe taken = umask(0o077) }

  static var inherited: mode_t { unsafe taken }
}
