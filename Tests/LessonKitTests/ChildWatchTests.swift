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
}
