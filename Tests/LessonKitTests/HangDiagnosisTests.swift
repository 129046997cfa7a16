// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LessonKit

@Suite struct HangDiagnosisTests {
  private func sentence(_ change: (inout Recording) -> Void) -> String {
    var recording = Recording()
    change(&recording)
    return HangDiagnosis(recording).sentence.description
  }

  private func load(ends: Int) -> LoadRecord {
    var load = LoadRecord(subject: 1, origin: .init(id: 1, name: "", main: true), began: 0)
    load.ends = ends
    return load
  }

  private let data = CallbackCount(
    name: "connection(_:didReceive:)", detail: "data", count: 3, first: 0.1, last: 1.234,
    places: [PlaceCount(thread: .init(id: 5, name: "", main: false), runLoopMode: "kCFRunLoopDefaultMode", count: 3)])

  @Test(arguments: [nil, "UITrackingRunLoopMode"])
  func `a callback that waits on a loop which never ran in its mode`(_ other: String?) {
    let text = sentence {
      $0.waitingAt = "thread 5 in mode default"
      if let other {
        $0.callbacks = [data]
        $0.callbacks[0].places[0].runLoopMode = other
      }
    }
    #expect(text == "a callback was scheduled on thread\u{A0}5 in mode default, in which its run loop never ran")
  }

  @Test func `a callback that waits on a loop which ran before`() {
    let text = sentence {
      $0.waitingAt = "thread 5 in mode default"
      $0.callbacks = [data]
    }
    #expect(
      text == "a callback was scheduled on thread\u{A0}5 in mode default, in which its run loop did not run again")
  }

  @Test func `a load whose end did not come`() {
    let text = sentence {
      $0.loads = [load(ends: 0)]
      $0.callbacks = [data]
    }
    #expect(text == "the end of a load did not come; last came connection(_:didReceive:) data at 1.23\u{A0}s")
  }

  @Test func `a program that did not notice the end`() {
    let text = sentence {
      $0.loads = [load(ends: 1)]
      $0.callbacks = [data]
    }
    #expect(text.hasPrefix("every load had ended"))
  }

  @Test func `a program that started nothing`() {
    #expect(sentence { _ in } == "no load was started, and the program did not come to its end")
  }
}
