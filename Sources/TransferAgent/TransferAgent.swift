// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Dispatch
import Foundation
import Glibc

/// `url-transfer-agent [--ready DESCRIPTOR]`: transfers for background sessions of this user's programs.
///
/// Programs start it, one for each user, and it ends by itself. `--ready` names a descriptor to which one byte is written as
/// soon as an agent listens, this one or another. `WORKBENCH_TRANSFER_AGENT_IDLE` is the time in seconds after which an agent
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
      guard let lock = try AgentLock.take(places) else { return ready() }
      AgentLog.open(places.log)
      let agent = Agent(places, lock, idleSeconds: max(0.01, min(idle, 86_400)))
      try agent.begin()
      ready()
      withExtendedLifetime(agent) { dispatchMain() }
    } catch {
      AgentLog.note("\(error)")
      exit(1)
    }
  }

  /// Notifies the program that has started this one.
  private static func ready() {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, arguments[1] == "--ready", let descriptor = Int32(arguments[2]), descriptor > 2 else {
      return
    }
    var byte: UInt8 = 1
    _ = unsafe write(descriptor, &byte, 1)
    close(descriptor)
  }
}
