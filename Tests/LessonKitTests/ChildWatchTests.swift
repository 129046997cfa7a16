// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import LessonKit

@Suite struct ChildWatchTests {
  @Test func `a baseline under limits is at most what the parent sees`() {
    let watch = ChildWatch(getpid(), ProgramLimits())
    let seen = watch.programStarted(with: .max)
    #expect(seen > 0 && seen < 1 << 40)
    #expect(watch.programStarted(with: 1) == 1)
    #expect(ChildWatch(getpid(), nil).programStarted(with: .max) == .max)
  }

  @Test func `looking at a program again and again keeps no memory`() async {
    await #expect(processExitsWith: .success) {
      let (watch, memory, looks) = (ChildWatch(getpid(), ProgramLimits()), MemoryGauge(), 4000)
      for _ in 0..<100 { _ = watch.programStarted(with: .max) }
      let before = memory.resident()
      for _ in 0..<looks { _ = watch.programStarted(with: .max) }
      #expect(memory.resident() - before < 1024 * looks)
    }
  }

  /// Neither bytes that are no text, nor U+0600, which makes one character of itself and the parenthesis that follows.
  @Test(arguments: [[0xFF], Array(") 1 1 \u{600}".utf8)] as [[UInt8]])
  func `a program's name hides no memory of it`(name: [UInt8]) async {
    await #expect(processExitsWith: .success) { [name = name as [UInt8]] in
      let memory = MemoryGauge()
      let file = open("/proc/self/comm", O_WRONLY)
      #expect(write(file, name, name.count) == name.count)
      let seen = ChildWatch(getpid(), ProgramLimits()).programStarted(with: .max)
      let own = memory.resident()
      #expect(seen > own / 2 && seen < own * 2)
    }
  }
}
