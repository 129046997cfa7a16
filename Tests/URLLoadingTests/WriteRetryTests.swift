// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import URLLoading

/// The times of other tries, by an hour of the test.
@Suite struct WriteRetryTests {
  private let start = ContinuousClock.now

  @Test func `a lock is asked for every 50 ms, as long as it is held`() {
    var retry = WriteRetry()
    for _ in 1...100 {
      #expect(retry.pause(after: .locked, start) == .milliseconds(50))
      #expect(retry.pause(after: .locked, start) == nil, "a timer runs")
      retry.timeCame()
    }
    #expect(!retry.isDue(start) && retry.isDue(start + .milliseconds(50)))
  }

  @Test func `a disk that takes nothing is asked ever later, and a lock is a matter of its own`() {
    var retry = WriteRetry()
    var pauses: [Duration] = []
    for _ in 1...12 {
      pauses.append(retry.pause(after: .failed, start) ?? .zero)
      retry.timeCame()
    }
    #expect(pauses.prefix(3) == [.milliseconds(100), .milliseconds(200), .milliseconds(400)])
    #expect(pauses.suffix(2) == [.seconds(60), .seconds(60)])
    #expect(retry.pause(after: .locked, start) == .milliseconds(50))
    retry.timeCame()
    #expect(retry.pause(after: .written, start) == nil && retry.isDue(start))
    #expect(retry.pause(after: .failed, start) == .milliseconds(100))
  }

  @Test func `what is written while a timer runs begins no other timer`() {
    var retry = WriteRetry()
    #expect(retry.pause(after: .failed, start) != nil)
    #expect(retry.pause(after: .written, start) == nil)
    #expect(retry.pause(after: .failed, start) == nil)
    retry.timeCame()
    #expect(retry.pause(after: .failed, start) != nil)
  }
}
