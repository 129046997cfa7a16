// SPDX-License-Identifier: Apache-2.0
import LessonServer

extension LessonServer {
  /// Runs a server for as long as `body` does; returns what that does.
  @discardableResult
  static func serving<Result>(
    _ routes: [Route] = Route.standard, _ body: (LessonServer) async throws -> Result
  ) async throws -> Result {
    let server = LessonServer(routes: routes)
    try server.start()
    defer { server.stop() }
    return try await body(server)
  }
}
