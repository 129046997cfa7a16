// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Testing

@testable import Reports

@Suite struct FiguresTests {
  @Test(arguments: [
    (0, "0 B"), (1023, "1023 B"), (65_536, "64 KiB"), (67_108_864, "64.0 MiB"), (1 << 30, "1.00 GiB"),
  ])
  func `a size has the unit that suits it`(_ bytes: Int, _ text: String) {
    #expect(Figures.size(bytes) == text.replacing(" ", with: "\u{A0}"))
  }

  @Test(arguments: [(0.0004, "0.4 ms"), (0.012, "12 ms"), (0.25, "0.25 s"), (12.3456, "12.35 s")])
  func `a time has the unit that suits it`(_ seconds: Double, _ text: String) {
    #expect(Figures.time(seconds) == text.replacing(" ", with: "\u{A0}"))
  }

  @Test(arguments: [
    (1_677_722, 64 << 20, "+1.6 MiB = 0.03 S"), (430_080, 64 << 20, "+420 KiB < 0.01 S"),
    (430_080, 1 << 20, "+420 KiB = 0.41 S"), (458_752, 10, "+448 KiB"), (458_752, (1 << 20) - 1, "+448 KiB"),
  ])
  func `a growth has its part of S, but not of an S below 1 MiB`(_ bytes: Int, _ size: Int, _ text: String) {
    #expect(Figures.growth(bytes, of: size).replacing("\u{A0}", with: " ") == text)
  }

  @Test func `a curve shows its peak at its time and nothing where memory stayed`() {
    let curve = (0..<10).map { CurvePoint(instant: Double($0) / 10, bytes: $0 == 5 ? 18 << 20 : 10 << 20) }
    let memory = MemoryUse(baseline: 10 << 20, peak: 18 << 20, growth: 8 << 20, curve: curve)
    #expect(Sparkline(memory, duration: 1, columns: 10, height: 8 << 20).line == "▁▁▁▁▁█▁▁▁▁")
  }

  @Test func `a curve that hardly moves is not stretched`() {
    let curve = (0..<10).map { CurvePoint(instant: Double($0), bytes: 10 << 20 + $0 * 1000) }
    let memory = MemoryUse(baseline: 10 << 20, peak: 10 << 20, growth: 9000, curve: curve)
    #expect(Sparkline(memory, duration: 9, columns: 10, height: Sparkline.leastHeight).line == "▁▁▁▁▁▁▁▁▁▁")
  }

  @Test func `places on many threads of one queue are summed up`() {
    let places = (2...6).map { PlaceCount(thread: .init(id: $0, name: "", main: false), queue: "queue 1", count: 1) }
    #expect(PlaceWords.phrases(places).map(\.description) == ["5 threads, none of them main, queue 1"])
    let main = PlaceCount(
      thread: .init(id: 1, name: "", main: true), runLoopMode: "kCFRunLoopDefaultMode", count: 9)
    #expect(PlaceWords.phrases([main]).map(\.description) == ["main thread, mode default"])
  }
}
