// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Testing

@Suite struct ByteFlowTests {
  @Test func `bytes are counted in the stretch in which they came`() {
    var flow = ByteFlow()
    for (count, instant) in [(5, 0.0), (7, 0.0009), (1, 0.0025), (0, 0.1), (9, -1)] { flow.add(count, at: instant) }
    #expect(flow.bytes == [12, 0, 1] && flow.width == 0.001)
    #expect(flow.total == 13)
  }

  @Test(arguments: [
    #"{"width": 0, "bytes": [1]}"#, #"{"width": 1e-9, "bytes": [1000000000000]}"#, #"{"width": 1, "bytes": [-1]}"#,
  ])
  func `a stored flow that no run can have is refused`(_ text: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(ByteFlow.self, from: Data(text.utf8)) }
  }

  @Test(arguments: [0.05, 0.2, 1.7, 60, 5000]) func `stretches grow with the time, and no byte is lost`(_ last: Double)
  {
    var flow = ByteFlow()
    for step in 0...1000 { flow.add(3, at: last * Double(step) / 1000) }
    #expect(flow.bytes.reduce(0, +) == 3003)
    #expect(flow.bytes.count <= ByteFlow.mostStretches)
    #expect(Double(flow.bytes.count) * flow.width > last && Double(flow.bytes.count - 1) * flow.width <= last)
    // An even flow stays even.
    #expect(Double(flow.bytes.max() ?? 0) / flow.width < 3003 / last * 1.2 + 3 / flow.width)
  }
}
