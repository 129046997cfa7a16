// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// A downloaded file as one bar over its bytes. A piece has the colour of the version that the server sent; a seam stands where
/// the bytes of one answer end and those of the next begin. A file of one version has one colour, and a file that mixes the
/// old version with the new has two.
struct FileDrawing {
  private static let height = 22
  /// The least share of the width in which a piece's name has room on a narrow page.
  private static let leastNamed = 0.2

  private let product: ProductResult
  private let pieces: [FilePiece]
  private let requests: [RequestSeen]
  /// Bytes of the whole width.
  private let most: Int
  private let say: StringCatalogue

  /// The drawing of what `example` made beside `others`, in one scale; nil where the run tells no pieces of it.
  init?(_ example: ExampleResult, beside others: [ExampleResult], say: StringCatalogue) {
    guard let product = example.product, let pieces = product.pieces, !pieces.isEmpty else { return nil }
    (self.product, self.pieces, self.requests, self.say) = (product, pieces, example.requests, say)
    let drawn = ([example] + others).compactMap(\.product).filter { $0.pieces != nil }
    most = max(1, drawn.flatMap { [$0.bytes, $0.expectedBytes] }.max() ?? 1)
  }

  /// The words, one sentence for the file and one for each piece, above the bar, which has no others: a page shows many.
  var html: String {
    let isWhole = product.comparison == .equal
    let head = Markup.escaped((isWhole ? "✓ " : "✗ ") + say(summary))
    let parts = pieces.map { piece in
      "<span><i class=\"\(Self.style(piece))\"></i>\(Markup.escaped(say(words(piece))))</span>"
    }
    return
      "<p class=\"pieces\"><strong class=\"\(isWhole ? "good" : "bad")\">\(head)</strong> \(parts.joined(separator: " "))</p>"
      + "<svg class=\"bytes\" role=\"img\" aria-label=\"\(Markup.escaped(say(summary)))\">"
      + zip(pieces, [nil] + pieces).map(bar).joined() + end + "</svg>"
  }

  // MARK: - Words

  /// A summary of what the pieces make of the file.
  private var summary: Phrase {
    let file: Phrase = "file “\(product.name)”"
    var versions: [Int] = []
    for piece in pieces {
      guard let version = piece.version else { return "\(file): with bytes of no version" }
      if !versions.contains(version) { versions.append(version) }
    }
    if versions.count > 1 { return "\(file): the front of version \(versions[0]), the rear of version \(versions[1])" }
    if pieces.contains(where: \.isMisplaced) { return "\(file): a piece out of place" }
    if let fault = ProductWords(product)?.fault { return "\(file): \(fault)" }
    return "\(file): all of version \(versions[0])"
  }

  private func words(_ piece: FilePiece) -> Phrase {
    let range = "\(Figures.size(piece.began)) – \(Figures.size(piece.ended))"
    guard let version = piece.version else { return "\(range): bytes of no version" }
    var parts: [Phrase] = ["\(range): version \(version)"]
    if piece.isMisplaced { parts.append("its bytes from \(Figures.size(piece.offset)) on") }
    if let number = piece.request, requests.indices.contains(number - 1) {
      let request = requests[number - 1]
      let answer = [request.status.map { "\($0)" }, request.status == 206 ? request.range : nil].compactMap { $0 }
      parts.append("request \(number): \(answer.joined(separator: " "))")
    }
    return parts.joined(" · ")
  }

  // MARK: - Bar

  /// A piece, named where its version is another than that of the piece before it.
  private func bar(_ piece: FilePiece, behind last: FilePiece?) -> String {
    let x = piece.began == 0 ? "" : " x=\"\(percent(piece.began))\""
    let place = "\(x) width=\"\(percent(piece.ended - piece.began))\" height=\"\(Self.height)\"/>"
    var svg = "<rect class=\"\(Self.style(piece))\"" + place
    if piece.isMisplaced { svg += "<rect class=\"misplaced\"" + place }
    let isNamed = Double(piece.ended - piece.began) / Double(most) >= Self.leastNamed
    guard isNamed, last.map({ $0.version != piece.version || piece.isMisplaced }) ?? true else { return svg }
    let name: Phrase = piece.version.map { "version \($0)" } ?? "no version"
    return svg + "<text\(x)>\(Markup.escaped(say(name)))</text>"
  }

  /// Where a longer file should end.
  private var end: String {
    guard product.bytes > product.expectedBytes else { return "" }
    let x = percent(product.expectedBytes)
    return
      "<line class=\"peak\" x1=\"\(x)\" x2=\"\(x)\" y1=\"0\" y2=\"\(Self.height)\"><title>\(Markup.escaped(say("where the file should end" as Phrase)))</title></line>"
  }

  private func percent(_ bytes: Int) -> String { TimeAxis.percent(of: Double(bytes) / Double(most)) }

  private static func style(_ piece: FilePiece) -> String { "v\(piece.version ?? 0)" }
}

extension FilePiece {
  /// True if its bytes lie elsewhere in the file than in the version that has them.
  fileprivate var isMisplaced: Bool { version != nil && offset != began }
}
