// SPDX-License-Identifier: Apache-2.0
import LessonServer

extension Example {
  /// A product that an example makes. The runner compares it with a reference of its own.
  public enum Product: Sendable, Hashable {
    /// The body of its last load that was given one, where the runner knows what the server sends; only looked at when
    /// the job finished.
    case lastBody
    /// The body of the load of that number, from 1, whatever the job's end.
    case body(load: Int)
    /// The bodies of all loads, each of which must be the server's.
    case bodies
    /// A file in its folder that holds this content.
    case file(String, Content = .body)
    /// A line that it prints, to the letter.
    case line(String)
    /// The body that the server received with the last request that had one.
    case received(Content)
    /// Nothing that could be compared.
    case nothing
  }

  /// The content that a product should hold.
  public enum Content: Sendable, Hashable {
    /// The body that the server sends.
    case body
    /// The body of the server's second version, which `changes=on` switches to.
    case secondVersion
    /// This many bytes after one another: the first bytes of the generator's stream of this seed.
    case seeded(seed: UInt64, bytes: Int)
    /// S bytes, or a fraction of S, of the generator's stream of this seed.
    case seededShare(seed: UInt64, divisor: Int)
    /// This text in UTF-8.
    case text(String)
    /// This text in UTF-8, so many times.
    case repeated(String, times: Int)

    /// Its size and checksum; nil where the server's body is asked for and the server sends none that is known.
    func reference(_ body: ExampleAddress.Body?, bodyBytes: Int, seed: UInt64) -> ExampleAddress.Body? {
      switch self {
      case .body: body
      case .secondVersion: body.map { .seeded(seed &+ 1, $0.bytes) }
      case .seeded(let seed, let bytes): .seeded(seed, Int64(bytes))
      case .seededShare(let seed, let divisor): .seeded(seed, Int64(max(1, bodyBytes / divisor)))
      case .text(let text): .text(text)
      case .repeated(let text, let times): .repeated(text, times: times)
      }
    }
  }
}

extension ExampleAddress.Body {
  /// The first bytes of the generator's stream of this seed.
  static func seeded(_ seed: UInt64, _ bytes: Int64) -> Self {
    Self(bytes: bytes, checksum: ExampleAddress.checksum(seed: seed, size: bytes))
  }

  /// The text in UTF-8.
  static func text(_ text: String) -> Self {
    var sum = BodyChecksum()
    var text = text
    text.withUTF8 { sum.update(UnsafeRawBufferPointer($0)) }
    return Self(bytes: sum.count, checksum: BodyDigest.text(of: sum.value))
  }

  /// The text in UTF-8, so many times, in pieces of about 64 KiB.
  static func repeated(_ text: String, times: Int) -> Self {
    let each = min(max(1, (64 << 10) / max(1, text.utf8.count)), max(1, times))
    let piece = Array(String(repeating: text, count: each).utf8)
    var sum = BodyChecksum()
    for _ in 0..<(times / each) { sum.update(piece) }
    sum.update(Array(String(repeating: text, count: times % each).utf8))
    return Self(bytes: sum.count, checksum: BodyDigest.text(of: sum.value))
  }
}
