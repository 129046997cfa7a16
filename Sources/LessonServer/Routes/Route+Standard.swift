// SPDX-License-Identifier: Apache-2.0

extension Route {
  /// The routes that lessons, benchmarks and `workbench server` share.
  public static let standard: [Route] =
    fixed + [
      body, parts, wait, never, echo, upload, laterUpload, status, redirect, loop, elsewhere, cookies, cached, edition,
      socket,
    ]
    + authentication + documents + endings

  private static let fixed: [Route] = [
    Route("/ok", summary: "two bytes: ok", script: .response(.text("ok"))),
    Route("/1k", summary: "1,024 bytes", script: .response(kilobyte)),
    Route("/json", summary: "a small JSON document", script: .response(.text(document, type: "application/json"))),
  ]

  private static let kilobyte = Response(
    fields: [HeaderField("Content-Type", "application/octet-stream")],
    body: .bytes(SeededBody(seed: 1).bytes(0..<1024)))

  /// The document that `/json` answers with.
  static let document = #"{"lesson":"first-request","number":1,"tags":["connection","session"],"ok":true}"#

  private static let never = Route("/never", summary: "takes the request and never answers", script: [.stall])

  private static let wait = Route("/wait", summary: "two bytes after seconds=2") { request in
    answer {
      let seconds = try request.seconds("seconds") ?? .seconds(1)
      return [.delay(seconds), .response(.text("ok"))]
    }
  }

  private static let parts = Route(
    "/parts", summary: "responses that replace one another: parts=3 size=1KiB first=2KiB seed=1 pause=0.5"
  ) { request in
    answer {
      let (count, size) = (try request.number("parts") ?? 3, try request.size("size") ?? 1024)
      let (seed, other) = (try request.seed(), try request.size("first") ?? size)
      let parts = (0..<min(count, 10_000)).map { number in
        MixedPart(
          [HeaderField("Content-Type", "application/octet-stream"), HeaderField("X-Part", "\(number + 1)")],
          body: .seeded(seed: seed &+ UInt64(number), range: 0..<(number == 0 ? other : size)))
      }
      return .mixedReplace(parts, between: try request.seconds("pause").map { [.delay($0)] } ?? [])
    }
  }

  private static let echo = Route("/echo", summary: "what the server received, as JSON") { request in
    .response(.json(EchoAnswer(request)))
  }

  private static let upload = Route("/upload", summary: "size and checksum of the body sent, as JSON") { request in
    .response(.json(UploadAnswer(bytes: request.bodyBytes, checksum: request.bodyChecksum)))
  }

  private static let laterUpload = Route(
    "/upload/later", summary: "reads the body only after delay=0.1 seconds, so that it fills the sockets first",
    answer: .early { request in
      answer {
        let pause = try request.seconds("delay") ?? .milliseconds(100)
        return Script([.delay(pause), .readBody, .response(.text("taken"))], readsBodyFirst: false)
      }
    })

  private static let status = Route("/status/*", summary: "a response with this status, such as /status/404") {
    request in
    answer {
      let code = try request.statusCode(inPathAfter: "/status/")
      return .response(.text("\(code)\n", code))
    }
  }

  private static let redirect = Route(
    "/redirect/*", summary: "a redirect with this status, such as /redirect/302?to=/ok"
  ) { request in
    answer {
      let code = try request.statusCode(inPathAfter: "/redirect/")
      let target = HeaderField("Location", request[query: "to"] ?? "/ok")
      return .response(Response(code, fields: [target], body: .bytes(Array("elsewhere\n".utf8))))
    }
  }

  private static let loop = Route(
    "/loop", summary: "a redirect to itself",
    script: .response(Response(302, fields: [HeaderField("Location", "/loop")])))

  private static let elsewhere = Route(
    "/elsewhere", summary: "a redirect to to=/echo of this server, as localhost, or from there as 127.0.0.1: status=302"
  ) { request in
    answer {
      let (host, name) = (request.head["Host"] ?? "", "localhost")
      let other =
        host.hasPrefix(name) ? host.replacing(name, with: "127.0.0.1") : host.replacing("127.0.0.1", with: name)
      let status = try request.number("status").map { Int(clamping: $0) } ?? 302
      let target = request[query: "to"] ?? "/echo"
      return .response(Response(status, fields: [HeaderField("Location", "http://\(other)\(target)")]))
    }
  }

  /// Runs a route's function; a parameter that cannot be read becomes a 400 with the sentence that names it.
  static func answer(_ make: () throws -> Script) -> Script {
    do {
      return try make()
    } catch {
      return .response(.text("\(error)\n", 400))
    }
  }

  /// These routes, one a line with path and summary, for a terminal.
  public static func table(of routes: [Route] = Route.standard) -> String {
    let width = routes.map(\.path.count).max() ?? 0
    return routes.map { route in
      route.path + String(repeating: " ", count: width - route.path.count + 2) + route.summary + "\n"
    }.joined()
  }
}
