// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The product of a program beside the one it should have made: in a word, by how much, and as a sentence. The table's cell,
/// the strip, the figure and the blocks of a terminal have their words from here.
struct ProductWords {
  private let product: ProductResult

  /// The words for what a program made; nil where nothing was compared.
  init?(_ product: ProductResult?) {
    guard let product else { return nil }
    self.product = product
  }

  /// The fault of the product, and by how much; nil where there is none.
  var fault: Phrase? {
    let surplus = product.bytes - product.expectedBytes
    return switch (product.comparison, product.kind) {
    case (.equal, _): nil
    case (.missing, .line): "not printed"
    case (.missing, .file): "no file"
    case (.missing, _): "no body"
    case (.different, _) where surplus == 0: "other bytes"
    case (.different, _) where surplus > 0: "\(Figures.size(surplus)) too much"
    case (.different, _): "\(Figures.size(-surplus)) too little"
    }
  }

  /// The fault, or that there is none. A file that is right although the job did not finish is not the whole body.
  func cell(after end: Outcome.Kind = .finished) -> Phrase {
    let isAsExpected = product.kind == .line || product.kind == .file && end != .finished
    return fault ?? (isAsExpected ? "as expected" : "whole")
  }

  /// The end of a job that finished and made this: that something is missing, or spoilt in whatever way; nil where nothing is.
  var end: Phrase? {
    guard product.comparison == .different else { return fault }
    return switch product.kind {
    case .file: "file spoilt"
    case .line: "other output"
    case .body, .received: "body spoilt"
    }
  }

  /// The sentence on the product and the result of the comparison.
  var sentence: Phrase {
    guard let fault else {
      return product.kind == .line ? thing : "\(thing): \(Figures.size(product.bytes)), byte for byte as expected"
    }
    return product.comparison == .missing
      ? "\(thing): \(fault)" : "\(thing): \(Figures.size(product.bytes)), \(fault)"
  }

  private var thing: Phrase {
    switch product.kind {
    case .body where product.name.contains("–"): "bodies of loads \(product.name)"
    case .body: "body of load \(product.name)"
    case .file: "file “\(product.name)”"
    case .line where product.comparison == .missing: "line “\(product.name)”"
    case .line: "printed “\(product.name)”"
    case .received: "body that the server received"
    }
  }
}
