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

  /// Starts it, and returns when an agent listens. One that dies without a word is started again. Blocks.
  static func start() throws(TransferFault) {
    let path = try find()
    for _ in 0..<attempts where try start(path) { return }
    throw TransferFault("'\(path)' ends as soon as it is started; its log '\(Places().log)' may say why.")
  }

  /// True if an agent listens now; false where the one started here has died.
  /// - Throws: why there is none, as the agent says, among other things.
  private static func start(_ path: String) throws(TransferFault) -> Bool {
    var ends: [Int32] = [-1, -1]
    guard unsafe workbench_pipe(&ends) == 0 else { throw TransferFault("There is no pipe: \(systemReason())") }
    defer { close(ends[0]) }
    let words = [path, "--ready", "3"]
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    let result = unsafe workbench_start_detached(path, &arguments, ends[1])
    for index in unsafe arguments.indices { unsafe free(arguments[index]) }
    close(ends[1])
    guard result == 0 else {
      throw TransferFault("'\(path)' cannot be started: \(unsafe String(cString: strerror(result)))")
    }
    guard canRead(ends[0], within: startTimeoutMilliseconds) else {
      throw TransferFault("'\(path)' was started and does not listen; its log '\(Places().log)' may say why.")
    }
    var answer = [UInt8](repeating: 0, count: 2_048)
    let count = unsafe read(ends[0], &answer, answer.count)
    guard count > 0, answer[0] != 1 else { return count > 0 }
    throw TransferFault(String(decoding: answer.prefix(count), as: UTF8.self))
  }

  /// Waits for bytes or the end of a pipe, whatever signals the program handles meanwhile.
  static func canRead(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    let end = ContinuousClock.now + .milliseconds(milliseconds)
    while true {
      var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let rest = (end - .now) / .milliseconds(1)
      let count = unsafe poll(&watched, 1, Int32(max(0, rest.rounded(.up))))
      guard count < 0, errno == EINTR else { return count > 0 }
    }
  }

  /// Where the variable says, beside this program, or on the path. A file found by its name must belong to this user or root,
  /// beside this program also to the program's owner.
  static func find(
    _ environment: [String: String] = ProcessInfo.processInfo.environment, executable: String = "/proc/self/exe"
  ) throws(TransferFault) -> String {
    if let path = environment[variable] {
      guard unsafe access(path, X_OK) == 0 else {
        throw TransferFault("\(variable) names '\(path)', which cannot be executed: \(systemReason())")
      }
      return path
    }
    var objections: [String] = []
    for (folder, owners) in folders(environment, executable) where folder.hasPrefix("/") {
      let path = folder + "/" + name
      guard unsafe access(path, F_OK) == 0 else { continue }
      guard let objection = ProgramFile.objection(to: path, owners: owners) else { return path }
      objections.append(" " + objection)
    }
    throw TransferFault(
      "Background sessions need the program '\(name)' of this package, which is neither beside this program nor on PATH. "
        + "Build it (swift build --product \(name)) and set \(variable) to its path." + objections.joined())
  }

  /// Where the agent may lie, each with the users whose file it may be.
  private static func folders(
    _ environment: [String: String], _ executable: String
  ) -> [(folder: String, owners: Set<uid_t>)] {
    let trusted: Set<uid_t> = [geteuid(), 0]
    var folders = (environment["PATH"] ?? "").split(separator: ":").map { (String($0), trusted) }
    var status = stat()
    if unsafe stat(executable, &status) == 0 {
      let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: executable)) ?? executable
      folders.insert(((path as NSString).deletingLastPathComponent, trusted.union([status.st_uid])), at: 0)
    }
    return folders
  }
}
