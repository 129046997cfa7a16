// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Dispatch
import Foundation
import Glibc

/// `url-transfer-agent [--ready DESCRIPTOR]`: transfers for background sessions of this user's programs.
///
/// Programs start it, one for each user, and it ends by itself. `--ready` names a descriptor to which the byte 1 is written as
/// soon as an agent listens, this one or another, or the sentence that says why none does. `WORKBENCH_TRANSFER_AGENT_IDLE` is the time in seconds after which an agent
/// without work and clients ends; 30 unless set. Exit status: 0, or 1 when it cannot do its work, with a sentence.
@main enum TransferAgent {
  static func main() {
    AgentMask.take()
    signal(SIGPIPE, SIG_IGN)
    // An agent that looks for this one may ask it to listen before it is ready to.
    signal(SIGHUP, SIG_IGN)
    // Writing beyond a limit for files (setrlimit(2)) fails, like writing to a full disk.
    signal(SIGXFSZ, SIG_IGN)
    let places = Places()
    let environment = ProcessInfo.processInfo.environment
    let idle = environment["WORKBENCH_TRANSFER_AGENT_IDLE"].flatMap(Double.init) ?? 30
    do throws(TransferFault) {
      try places.prepare()
      guard let lock = try AgentLock.take(places) else { return report([1]) }
      AgentLog.open(places.log)
      let agent = Agent(places, lock, idleSeconds: max(0.01, min(idle, 86_400)))
      try agent.begin()
      report([1])
      withExtendedLifetime(agent) { dispatchMain() }
    } catch {
      AgentLog.note("\(error)")
      report(Array("\(error)".utf8))
      exit(1)
    }
  }

  /// Writes this to the program that has started this one.
  private static func report(_ bytes: [UInt8]) {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, arguments[1] == "--ready", let descriptor = Int32(arguments[2]), descriptor > 2 else {
      return
    }
    _ = unsafe write(descriptor, bytes, bytes.count)
    close(descriptor)
  }
}
