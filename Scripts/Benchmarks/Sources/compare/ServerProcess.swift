// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// A server in a process of its own, so that its work counts for neither side.
final class ServerProcess {
  /// Such as `http://127.0.0.1:40001`.
  let address: String
  /// The file of the authority to trust; nil without TLS.
  let authority: String?
  private let child: Child

  /// Starts a program, on these processors or on any, and waits until it has said where it listens. In `authority` "PORT"
  /// stands for its port.
  init(_ command: [String], authority: String? = nil, on processors: [Int]?) throws {
    child = try Child(Processors.keeping(command, to: processors), ProcessInfo.processInfo.environment)
    var address: String?
    while address == nil, let line = child.readLine() {
      address = line.firstMatch(of: /https?:\/\/127\.0\.0\.1:[0-9]+/).map { String($0.output) }
    }
    guard let address else {
      throw Failure(description: "\(command[0]) ended with status \(child.wait().status) before it listened.")
    }
    self.address = address
    self.authority = authority?.replacing("PORT", with: address.split(separator: ":").last ?? "")
  }

  func stop() {
    kill(child.process, SIGTERM)
    _ = child.wait()
  }
}
