// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LessonServer

@Suite struct SentMarksTests {
  @Test(arguments: [10, 3000, 50_000]) func `marks keep the whole sum, and lie in order`(_ count: Int) {
    var sent = SentMarks()
    for step in 0..<count { sent.add(7, at: 0.0004 * Double(step)) }
    #expect(sent.marks.last?.bytes == Int64(7 * count))
    #expect(sent.marks.last?.instant == 0.0004 * Double(count - 1))
    #expect(sent.marks.count <= SentMarks.most)
    for (before, after) in zip(sent.marks, sent.marks.dropFirst()) {
      #expect(before.instant < after.instant && before.bytes < after.bytes)
      #expect(after.bytes - before.bytes <= Int64(7 * (4 + count / 64)), "a step is a small part of the whole")
    }
  }

  @Test func `a pause stays a pause`() {
    var sent = SentMarks()
    for step in 0..<2000 { sent.add(1, at: (step < 1000 ? 0.0 : 5) + 0.001 * Double(step)) }
    let before = sent.marks.last { $0.instant < 3 }
    #expect(before?.bytes == 1000)
  }
}
