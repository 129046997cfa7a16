// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Testing

@testable import Lessons

/// Examples beside which others may run.
@Suite struct NeighbourTests {
  private static let size = 64 << 20
  private static let examples = Course.catalog.lessons.flatMap(\.examples).filter { !$0.measuresAlone }

  @Test func `none of them loads the whole body`() {
    #expect(!Self.examples.isEmpty)
    for example in Self.examples {
      guard case .body(_, let divisor, let factor, _, _, _) = example.resource else { continue }
      #expect(Self.size / divisor * factor <= 16 << 20, "\(example.id), \(example.title)")
    }
  }

  @Test func `what measures wake-ups and processor time is none of them`() {
    for name in ["polling", "saved-loop"] { #expect(!Self.examples.contains { $0.id == "connection/\(name)" }) }
  }
}
