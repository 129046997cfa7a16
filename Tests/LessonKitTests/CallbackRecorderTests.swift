// SPDX-License-Identifier: Apache-2.0
import LessonKit
import LessonServer
import Testing
import Timeline

/// A recorder on its own: events are handed to it directly, with places made up.
@Suite struct CallbackRecorderTests {
  private let recorder = CallbackRecorder()
  private let start = ContinuousClock.now

  private func place(_ number: Int, queue: String? = nil) -> Place {
    Place(thread: .init(number: number, name: "", isMain: number == 1), queue: queue)
  }

  private func callback(_ name: String, _ payload: TimelineEvent.Payload) {
    callback(name, "", payload)
  }

  private func callback(
    _ name: String, _ detail: String = "", load: UInt64 = 2, at milliseconds: Int = 0, on number: Int = 1,
    _ payload: TimelineEvent.Payload = .none
  ) {
    let event = TimelineEvent(
      instant: start + .milliseconds(milliseconds), subject: load, kind: .callback(name: name, detail: detail),
      place: place(number))
    recorder.record(event, payload: payload)
  }

  @Test func `callbacks are counted by name, detail and place`() {
    recorder.begin(at: start, after: 1)
    callback("f", "data", at: 1)
    callback("f", "data", at: 2, on: 3)
    callback("f", "data", at: 5, on: 3)
    callback("f", "response", at: 6)
    let recording = recorder.end().recording
    let data = recording.callback("f", "data")
    #expect(data?.count == 3)
    #expect(data.map { [$0.first, $0.last] } == [0.001, 0.005])
    #expect(data?.places.map(\.count) == [2, 1])
    #expect(data?.places.first?.thread.id == 3)
    #expect(recording.count("f", "response") == 1)
  }

  @Test(arguments: [
    "connection(_:willSend:redirectResponse:)",
    "urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)",
  ]) func `the response that redirects is not the load's own`(method: String) {
    recorder.begin(at: start, after: 1)
    callback(method, .response(status: 302, expectedLength: 0, type: ""))
    callback("receive", .response(status: 200, expectedLength: 5, type: ""))
    #expect(recorder.end().recording.loads.first?.responses.map(\.status) == [200])
  }

  @Test(arguments: [
    (LoadForm.connection, Side.connection), (.queued, .connection), (.task, .session), (.rawTask, .session),
  ])
  func `a load is kept with the API that made it`(_ form: LoadForm, _ side: Side) {
    recorder.begin(at: start, after: 1)
    let made = TimelineEvent.Kind.step(.made(form, session: 0, method: "GET", url: "http://a/"))
    recorder.record(TimelineEvent(instant: start, subject: 2, kind: made, place: place(1)), payload: .none)
    callback("f", .success)
    callback("f", load: 3, .success)
    #expect(recorder.end().recording.loads.map(\.side) == [side, nil])
  }

  @Test func `a load is kept with the thread that starts it, where that is not the one that made it`() {
    recorder.begin(at: start, after: 1)
    let made = TimelineEvent.Kind.step(.made(.waitingConnection, session: 0, method: "GET", url: "http://a/"))
    for (kind, number) in [(made, 3), (.step(.started), 1)] {
      recorder.record(TimelineEvent(instant: start, subject: 2, kind: kind, place: place(number)), payload: .none)
    }
    callback("f", on: 4, .success)
    #expect(recorder.end().recording.loads.map(\.origin.id) == [1])
  }

  @Test func `a method that the delegate leaves out is marked`() {
    recorder.begin(at: start, after: 1)
    callback("complete")
    let event = TimelineEvent(instant: start, subject: 2, kind: .leftOut(name: "complete", detail: ""), place: place(1))
    recorder.record(event, payload: .none)
    #expect(recorder.end().recording.callback("complete")?.implemented == false)
  }

  @Test func `the order is kept as stretches, per load`() {
    recorder.begin(at: start, after: 1)
    callback("response")
    callback("data")
    callback("data")
    callback("data", load: 3)
    callback("data")
    callback("finish")
    let recording = recorder.end().recording
    #expect(recording.order.map(\.count) == [1, 2, 1, 1, 1])
    #expect(recording.sequence(of: 2) == ["response", "data", "data", "finish"])
    #expect(recording.sequence(of: 3) == ["data"])
  }

  @Test func `bodies are told apart by load and carry their checksum`() {
    recorder.begin(at: start, after: 1)
    for load in [UInt64(2), 3] {
      let body = SeededBody(seed: load).bytes(0..<1000)
      body.withUnsafeBytes { callback("data", load: load, .bytes($0)) }
    }
    let loads = recorder.end().recording.loads
    #expect(loads.map(\.bytes) == [1000, 1000])
    #expect(UInt64(loads[0].checksum, radix: 16) == SeededBody.checksum(seed: 2, size: 1000))
    #expect(UInt64(loads[1].checksum, radix: 16) == SeededBody.checksum(seed: 3, size: 1000))
  }

  @Test func `progress that falls or does not add up is noticed`() {
    recorder.begin(at: start, after: 1)
    callback("p", load: 2, .progress(piece: 10, total: 10, expected: 30))
    callback("p", load: 2, .progress(piece: 20, total: 30, expected: 30))
    callback("p", load: 3, .progress(piece: 10, total: 10, expected: -1))
    callback("p", load: 3, .progress(piece: 5, total: 5, expected: -1))
    let loads = recorder.end().recording.loads
    #expect(loads[0].progress?.sumOfPieces == 30)
    #expect(loads[0].progress?.hasFallen == false)
    #expect(loads[0].progress?.wasInconsistent == false)
    #expect(loads[1].progress?.hasFallen == true)
    #expect(loads[1].progress?.falls == 1)
    #expect(loads[1].progress?.fellFrom == 10 && loads[1].progress?.fellTo == 5)
    #expect(loads[1].progress?.wasInconsistent == true)
  }

  @Test func `an error is kept with its symbolic name`() {
    recorder.begin(at: start, after: 1)
    callback("fail", load: 2, .failure(domain: "NSURLErrorDomain", code: -1004))
    let load = recorder.end().recording.loads.first
    #expect(load?.ends == 1)
    #expect(load?.failure?.name == "NSURLErrorCannotConnectToHost")
  }

  @Test func `loads from before the start and events after the end are left out`() {
    callback("early")
    recorder.begin(at: start, after: 1)
    callback("warm-up", load: 1)
    callback("mine")
    #expect(recorder.end().recording.callbacks.map(\.name) == ["mine"])
    callback("late")
    #expect(recorder.end().recording.callbacks.map(\.name) == ["mine"])
  }

  @Test func `a callback that never ran is known by where it waits`() {
    recorder.begin(at: start, after: 1)
    let kind = TimelineEvent.Kind.enqueued(destination: "thread 4 in mode default")
    recorder.record(TimelineEvent(instant: .now, subject: 2, kind: kind, place: place(1)), payload: .none)
    #expect(recorder.end().recording.waitingAt == "thread 4 in mode default")
    recorder.begin(at: start, after: 1)
    callback("data", on: 4)
    #expect(recorder.end().recording.waitingAt == nil)
  }
}
