// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import CLinux
import Foundation
import Glibc

/// Finds and starts the agent.
enum AgentStarter {
  private static let name = "url-transfer-agent"
  private static let variable = "WORKBENCH_TRANSFER_AGENT"
  private static let startTimeoutMilliseconds: Int32 = 10_000

  private static let attempts = 4

  /// Starts it, and returns when an agent listens. One that dies before is started again. Blocks.
  static func start() throws(TransferFault) {
    let path = try find()
    for _ in 0..<attempts where try start(path) { return }
    throw TransferFault("'\(path)' ends as soon as it is started; its log '\(Places().log)' may say why.")
  }

  /// Whether an agent listens now; false where the one started here has died.
  private static func start(_ path: String) throws(TransferFault) -> Bool {
    var ends: [Int32] = [-1, -1]
    guard workbench_pipe(&ends) == 0 else { throw TransferFault("There is no pipe: \(systemReason())") }
    defer { close(ends[0]) }
    let words = [path, "--ready", "3"]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { word in strdup(word) } + [nil]
    let result = workbench_start_detached(path, &arguments, ends[1])
    for argument in arguments { free(argument) }
    close(ends[1])
    guard result == 0 else { throw TransferFault("'\(path)' cannot be started: \(String(cString: strerror(result)))") }
    var watched = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
    var byte: UInt8 = 0
    guard poll(&watched, 1, startTimeoutMilliseconds) > 0 else {
      throw TransferFault("'\(path)' was started and does not listen; its log '\(Places().log)' may say why.")
    }
    return read(ends[0], &byte, 1) == 1
  }

  /// Where the variable says, beside this program, or on the path.
  private static func find() throws(TransferFault) -> String {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment[variable] {
      guard access(path, X_OK) == 0 else {
        throw TransferFault("\(variable) names '\(path)', which cannot be executed: \(systemReason())")
      }
      return path
    }
    let here = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")).map {
      ($0 as NSString).deletingLastPathComponent
    }
    let folders = [here].compactMap { $0 } + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    for folder in folders where folder.hasPrefix("/") {
      let path = folder + "/" + name
      if access(path, X_OK) == 0 { return path }
    }
    throw TransferFault(
      "Background sessions need the program '\(name)' of this package, which is neither beside this program nor on PATH. "
        + "Build it (swift build --product \(name)) and set \(variable) to its path.")
  }
}
