// SPDX-License-Identifier: Apache-2.0

/// A small document whose content follows from a seed, so that a program cannot contain it beforehand.
public struct SeededDocument: Sendable, Hashable {
  /// The name in it: two syllables and a number.
  public let name: String
  private let layout: Int

  /// The document of this seed.
  public init(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15
    func next(_ words: [String]) -> String {
      state = (state ^ state &>> 29) &* 0xBF58_476D_1CE4_E5B9
      return words[Int((state &>> 33) % UInt64(words.count))]
    }
    let syllables = ["ba", "ce", "di", "fo", "gu", "ha", "ke", "li", "mo", "nu", "pa", "re", "si", "to", "vu", "ze"]
    name = next(syllables) + next(syllables) + next(syllables) + "-\(seed % 100_000)"
    layout = Int(state % 4)
  }

  /// The document, JSON.
  public var text: String { #"{"name":"\#(name)","length":\#(name.utf8.count)}"# }

  /// The same document in another layout, which follows from the seed: the order, the spaces and the ways to write a letter
  /// are free in JSON, and there may be more in it than one looks for.
  public var otherText: String {
    let escaped = name.unicodeScalars.prefix(1).map { #"\u00\#(String($0.value, radix: 16))"# }.joined()
    let own = #""name"\#(layout % 2 == 0 ? " : " : ":")"\#(escaped)\#(name.dropFirst())""#
    let others = [#""length": \#(name.utf8.count)"#, #""next": {"name": "zero-0"}"#]
    let parts = layout < 2 ? others + [own] : [others[1], own, others[0]]
    return "{\(parts.joined(separator: layout % 2 == 0 ? ", " : ",\n  "))}\n"
  }
}

extension Route {
  private static func named(_ path: String, _ summary: String) -> Route {
    Route(path, summary: summary) { request in
      answer {
        let document = SeededDocument(seed: try request.seed())
        let delay = try request.seconds("delay").map { [Step.delay($0)] } ?? []
        let text = request[query: "layout"] == "other" ? document.otherText : document.text
        return Script(delay + [.response(.text(text, type: "application/json"))])
      }
    }
  }

  /// The documents of exercises.
  static let documents = [
    named("/name", "a JSON document with a name that follows from seed=1, after delay=0.5, layout=other"),
    named("/list%20of%20names/name", "the same below a path with spaces"),
  ]
}
