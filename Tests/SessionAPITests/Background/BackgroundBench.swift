// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import Glibc
import LessonServer
import TestSupport
import Testing

/// A program with a download that waits at a gate, and its agent.
final class BackgroundBench: Sendable {
  let server: LessonServer
  let place: BackgroundPlace
  let program: ProgramRun
  let url: URL

  init(variables: [String: String] = [:]) async throws {
    server = LessonServer(routes: [PartRoutes.held("/file")])
    try server.start()
    place = try BackgroundPlace(variables: variables)
    url = try #require(URL(string: server.url("/file")))
    program = try ProgramRun(place, urls: [url])
    _ = try await program.lines.wait { $0.contains { $0.hasPrefix("written") } }
  }

  /// Sends bytes as a client and returns what comes back until the agent closes, or nothing where it need not.
  func speak(_ bytes: Data) async throws -> Data {
    let path = place.places.socket
    return try await onThread {
      let descriptor = try UnixSocket.connect(to: path)
      defer { close(descriptor) }
      _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      var (answer, buffer) = (Data(), [UInt8](repeating: 0, count: 65_536))
      while true {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&watched, 1, -1)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return answer }
        answer += Data(buffer.prefix(count))
      }
    }
  }

  /// Lets the program and the agent end.
  func isDone() async throws {
    server.open(gate: "rest")
    try await program.ended()
    try await place.agentEnds()
  }

  func isUnharmed() async throws {
    server.open(gate: "rest")
    let lines = try await program.ended()
    #expect(lines.suffix(4) == ["file 0", "complete 0 0", "done", "end"])
    #expect(server.log.snapshot().requests(for: "/file").count == 1)
    try await place.agentEnds()
  }
}
