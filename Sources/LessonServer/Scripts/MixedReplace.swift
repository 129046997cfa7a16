// SPDX-License-Identifier: Apache-2.0

/// One part of a multipart/x-mixed-replace response, as data.
public struct MixedPart: Sendable {
  /// Header fields of the part, in order.
  public var fields: [HeaderField]
  /// Its body: none, bytes or a range of a generated stream.
  public var body: Response.Body

  /// A part of these fields and this body.
  public init(_ fields: [HeaderField] = [], body: Response.Body) {
    self.fields = fields
    self.body = body
  }

  /// A part with this text as its body, in UTF-8.
  public static func text(_ text: String, type: String = "text/plain") -> MixedPart {
    MixedPart([HeaderField("Content-Type", type)], body: .bytes(Array(text.utf8)))
  }
}

extension Script {
  /// A response whose body is these parts, one after the other (RFC 2046 section 5.1), ended by the connection's end.
  /// `between` is what the server does after each part: its delimiter has been sent then, so a client knows that the part
  /// is whole.
  public static func mixedReplace(
    _ parts: [MixedPart], boundary: String = "lesson", between: [Step] = []
  ) -> Script {
    let type = HeaderField("Content-Type", "multipart/x-mixed-replace; boundary=\"\(boundary)\"")
    let head = Response(fields: [type], framing: .untilClose).head
    var steps: [Step] = [.bytes(head), .text("--\(boundary)")]
    for part in parts {
      steps.append(.text("\r\n" + part.fields.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"))
      switch part.body {
      case .none: break
      case .bytes(let bytes): steps.append(.bytes(bytes))
      case .seeded(let seed, let range): steps.append(.seeded(seed: seed, range: range))
      }
      steps.append(.text("\r\n--\(boundary)"))
      steps += between
    }
    return Script(steps + [.text("--\r\n"), .end(.fin)])
  }
}
