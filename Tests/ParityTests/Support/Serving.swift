// SPDX-License-Identifier: Apache-2.0
import LessonServer

extension LessonServer {
  /// Runs a server for as long as `body` does.
  static func serving(
    _ routes: [Route] = Route.standard, _ body: (LessonServer) async throws -> Void
  ) async throws {
    let server = LessonServer(routes: routes)
    try server.start()
    defer { server.stop() }
    try await body(server)
  }
}
