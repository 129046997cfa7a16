// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Testing

@testable import Reports

/// The bar of a resumed download, read with a ruler and compared with the stored run.
@Suite struct FileDrawingTests {
  /// Read once, for it is long.
  private static let run = Result { try Golden.report("lesson-22") }

  private static func example(_ name: String) throws -> ExampleResult {
    try #require(run.get().lessons[0].examples.first { $0.id == name })
  }

  private static func html(_ name: String) throws -> String {
    let drawing = FileDrawing(try example(name), beside: [], say: StringCatalogue(.english))
    return try #require(drawing).html
  }

  /// The bars' classes, and their begins and widths in shares of the width.
  private static func bars(_ html: String) -> [(style: String, began: Double, width: Double)] {
    html.matches(of: /<rect class="([a-z0-9-]+)"(?: x="([0-9.]+)%")? width="([0-9.]+)%"/).map {
      (String($0.output.1), (Double($0.output.2 ?? "0") ?? -1) / 100, (Double($0.output.3) ?? -1) / 100)
    }
  }

  @Test func `a spoilt file shows the front of one version and the rear of another, in two colours`() throws {
    let html = try Self.html("connection/range-changed")
    let bars = Self.bars(html)
    #expect(bars.map(\.style) == ["v1", "v2"])
    // The second request asked for what lies behind the first 6,160,384 bytes of 16 MiB.
    let seam = 6_160_384 / 16_777_216.0
    #expect(abs(bars[0].width - seam) < 0.0001 && abs(bars[1].began - seam) < 0.0001)
    #expect(abs(bars[1].began + bars[1].width - 1) < 0.0002)
    #expect(html.contains("✗ file “download”: the front of version 1, the rear of version 2</strong>"))
    #expect(html.contains("0\u{A0}B – 5.9\u{A0}MiB: version 1 · request 1: 200</span>"))
    #expect(html.contains("5.9\u{A0}MiB – 16.0\u{A0}MiB: version 2 · request 2: 206 bytes=6160384-</span>"))
  }

  @Test(arguments: ["connection/range", "connection/checked", "session/resumed", "session/new-process"])
  func `a file that was resumed whole has one colour and a seam`(_ name: String) throws {
    let html = try Self.html(name)
    #expect(Self.bars(html).map(\.style) == ["v1", "v1"])
    #expect(html.contains("✓ file “download”: all of version 1</strong>"))
  }

  @Test(arguments: [("connection/checked-changed", 2), ("session/resumed-no-ranges", 1)])
  func `a file that was begun anew has one colour and no seam`(_ name: String, _ version: Int) throws {
    let html = try Self.html(name)
    #expect(Self.bars(html).map(\.style) == ["v\(version)"])
    #expect(html.contains("✓ ") && html.contains("version \(version) · request 2: 200</span>"))
  }

  @Test func `what was appended from the first byte on is hatched, and a line shows where the file should end`() throws
  {
    let html = try Self.html("connection/range-no-ranges")
    #expect(Self.bars(html).map(\.style) == ["v1", "v1", "misplaced"])
    #expect(html.contains("✗ file “download”: a piece out of place</strong>"))
    #expect(html.contains("5.9\u{A0}MiB – 21.9\u{A0}MiB: version 1 · its bytes from 0\u{A0}B on · request 2: 200"))
    let line = try #require(html.firstMatch(of: /<line class="peak" x1="([0-9.]+)%"/)).output.1
    #expect(abs((Double(line) ?? 0) / 100 - 16_777_216 / 22_937_600.0) < 0.0001)
  }

  @Test func `bytes of no version are said and drawn as such`() throws {
    var example = try Self.example("connection/range-changed")
    example.product?.pieces?[1].version = nil
    let drawing = FileDrawing(example, beside: [], say: StringCatalogue(.english))
    let html = try #require(drawing).html
    #expect(html.contains("✗ file “download”: with bytes of no version") && html.contains("class=\"v0\""))
  }

  @Test func `two files beside each other have one scale`() throws {
    let (good, long) = (try Self.example("connection/checked"), try Self.example("connection/range-no-ranges"))
    let drawing = FileDrawing(good, beside: [good, long], say: StringCatalogue(.english))
    let html = try #require(drawing).html
    let last = try #require(Self.bars(html).last)
    #expect(abs(last.began + last.width - 16_777_216 / 22_937_600.0) < 0.0002)
  }

  @Test(arguments: Language.allCases) func `the page shows a bar for each file of two answers, and none elsewhere`(
    _ language: Language
  ) throws {
    let page = try HTMLReport(Self.run.get(), Golden.setting(language)).text()
    let bars = page.matches(of: /<svg class="bytes" role="img" aria-label="([^"]+)"/).map(\.output.1)
    let pieces = try Self.run.get().lessons[0].examples.compactMap(\.product?.pieces)
    // Two stand in the strip.
    #expect(bars.count == pieces.count + 2 && pieces.count == 13)
    let words = language == .english ? "the front of version 1, the rear of version 2" : "前半是第 1 版，后半是第 2 版"
    #expect(bars.first?.contains(words) == true)
    for run in ["lesson-05", "lesson-09"] {
      #expect(try !HTMLReport(Golden.report(run), Golden.setting(language)).text().contains("<svg class=\"bytes\""))
    }
  }

  @Test func `a file that was not made has no bar`() throws {
    let drawing = FileDrawing(try Self.example("session/paused-twice"), beside: [], say: StringCatalogue(.english))
    #expect(drawing == nil)
  }
}
