// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Testing

@testable import Reports

/// One set of words for a product, wherever it is shown.
@Suite struct ProductWordsTests {
  private static func words(
    _ kind: ProductResult.Kind, _ name: String, _ bytes: Int, _ comparison: ProductResult.Comparison
  ) throws -> ProductWords {
    try #require(
      ProductWords(ProductResult(kind: kind, name: name, bytes: bytes, expectedBytes: 4096, comparison: comparison)))
  }

  @Test func `a whole product has no fault`() throws {
    let file = try Self.words(.file, "a", 4096, .equal)
    #expect(file.fault == nil && file.end == nil && file.cell().description == "whole")
    #expect(file.sentence.description == "file “a”: 4\u{A0}KiB, byte for byte as expected")
    #expect(file.cell(after: .failed).description == "as expected")
    let line = try Self.words(.line, "b", 4096, .equal)
    #expect(line.cell().description == "as expected" && line.sentence.description == "printed “b”")
  }

  @Test(arguments: [
    (4096, "other bytes"), (6144, "2\u{A0}KiB too much"), (4095, "1\u{A0}B too little"),
  ]) func `a spoilt product says by how much, in the cell as in the sentence`(_ bytes: Int, _ fault: String) throws {
    let file = try Self.words(.file, "a", bytes, .different)
    #expect(file.fault?.description == fault && file.cell().description == fault)
    #expect(file.sentence.description == "file “a”: \(Figures.size(bytes)), \(fault)")
    #expect(file.end?.description == "file spoilt")
    #expect(try Self.words(.body, "1", bytes, .different).end?.description == "body spoilt")
  }

  @Test func `what is missing has one word everywhere`() throws {
    for (kind, fault, sentence) in [
      (.file, "no file", "file “a”: no file"), (.body, "no body", "body of load a: no body"),
      (.line, "not printed", "line “a”: not printed"), (.received, "no body", "body that the server received: no body"),
    ] as [(ProductResult.Kind, String, String)] {
      let words = try Self.words(kind, "a", 0, .missing)
      #expect(words.fault?.description == fault && words.cell().description == fault && words.end?.description == fault)
      #expect(words.sentence.description == sentence)
    }
  }

  @Test func `the words of an end fit its column`() throws {
    for kind in [ProductResult.Kind.file, .body, .line, .received] {
      for comparison in [ProductResult.Comparison.missing, .different] {
        #expect((try Self.words(kind, "a", 1, comparison).end?.description ?? "").count <= Metric.end.width)
      }
    }
  }
}
