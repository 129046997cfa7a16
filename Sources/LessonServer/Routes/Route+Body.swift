// SPDX-License-Identifier: Apache-2.0

extension Route {
  static let body = Route("/body", summary: "size bytes of the stream of a seed") { request in
    do throws(LessonServerError) {
      let size = try ByteCount(parsing: request[query: "size"] ?? "1MiB").bytes
      let seed = UInt64(request[query: "seed"] ?? "1") ?? 1
      return .response(Response(body: .seeded(seed: seed, range: 0..<size)))
    } catch {
      return .response(.text("\(error)\n", 400))
    }
  }
}
