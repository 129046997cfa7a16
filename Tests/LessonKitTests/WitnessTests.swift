// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LessonKit

@Suite struct WitnessTests {
  @Test func `of many lines the first and the last are kept, in order`() {
    ProgramObserver.shared.begin(at: .now)
    for number in 1...1000 { ProgramObserver.shared.note("line \(number)") }
    var recording = Recording()
    ProgramObserver.shared.add(to: &recording)
    let numbers = recording.lines.compactMap { Int($0.text.dropFirst(5)) }
    #expect(numbers.count == 400)
    #expect(numbers.first == 1 && numbers.last == 1000)
    #expect(numbers == numbers.sorted())
  }
}
