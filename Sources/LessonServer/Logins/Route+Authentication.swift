// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// Routes that ask for credentials (RFC 9110 section 11).
extension Route {
  /// Every standard route of this kind.
  static let authentication: [Route] = [
    basic(
      "/basic",
      summary: "ok for user=lesson&password=secret by Basic, or as the query says: user= password= realm=; "
        + "delay=0.5 before a 401; then=404 in place of the ok"),
    digest("/digest", summary: "ok for lesson and secret by Digest with SHA-256"),
    Route(
      "/401", summary: "401 for ever, whatever is sent", script: .response(.unauthorized("Basic realm=\"nobody\""))),
  ]

  /// A route that answers `ok` to this user's name and password by Digest and 401 to everybody else. It belongs to one
  /// server: it remembers the nonces it gave.
  public static func digest(
    _ path: String, summary: String = "asks for a password by Digest", _ settings: DigestSettings = DigestSettings()
  ) -> Route {
    let guardian = DigestGuard(settings)
    return Route(path, summary: summary) { guardian.script($0) }
  }

  /// A route that answers `ok` to this user's name and password by Basic (RFC 7617) and 401 to everybody else; items
  /// `user`, `password` and `realm` of the query win, and `delay` keeps the 401 back.
  public static func basic(
    _ path: String, summary: String = "asks for a password by Basic", realm: String = "lesson",
    user: String = "lesson", password: String = "secret"
  ) -> Route {
    Route(path, summary: summary) { request in
      let credentials = "\(request[query: "user"] ?? user):\(request[query: "password"] ?? password)"
      let expected = "Basic " + base64(Array(credentials.utf8))
      guard request.head["Authorization"] == expected else {
        let refusal = Response.unauthorized(#"Basic realm="\#(request[query: "realm"] ?? realm)", charset="UTF-8""#)
        return answer { Script(try delay(in: request) + [.response(refusal)]) }
      }
      return answer {
        let status = try request.number("then").map { Int(clamping: $0) }
        return .response(status.map { Response($0) } ?? .text("ok"))
      }
    }
  }

  private static func delay(in request: Request) throws(LessonServerError) -> [Step] {
    try request.seconds("delay").map { [.delay($0)] } ?? []
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = Array(repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
    let count = EVP_EncodeBlock(&text, bytes, CInt(bytes.count))
    return String(decoding: text.prefix(Int(count)), as: UTF8.self)
  }
}

extension Response {
  /// A 401 that offers these challenges, one field for each.
  public static func unauthorized(_ challenges: String...) -> Response {
    Response(
      401, fields: [HeaderField("Content-Type", "text/plain")] + challenges.map { HeaderField("WWW-Authenticate", $0) },
      body: .bytes(Array("who is there?\n".utf8)))
  }
}
