// SPDX-License-Identifier: Apache-2.0
import Pitfalls
import Recorder
import Testing
import Timeline

@Suite struct EventCodecTests {
  private static let steps: [ProgramStep] = [
    .made(.handlerTask, session: 7, method: "GET", url: "http://a/路径"), .started, .suspended, .resumed,
    .cancelledUnstarted, .letGo, .ignored(.queueAfterStart),
    .request(RequestFacts(method: "PUT", url: "http://a/", range: "bytes=1-", ifRange: "\"v\"", isInClear: true)),
    .answer(AnswerFacts(status: 206, validator: "v", contentRange: "bytes 1-2/3", isStorable: true)),
    .redirected(RedirectFacts(method: "POST", newMethod: "GET", changesOrigin: true, carriesCredentials: false)),
    .challenged(ChallengeFacts(isServerTrust: true, trustHolds: false, hasCredential: true)), .streamCopied(bytes: 9),
    .fileReturned(.moved), .mainServes, .endedUnheard(code: -1004), .endedUnheard(code: nil),
    .sessionMade(needsEnd: true), .sessionInvalidated, .sessionLetGo(atEnd: true), .configurationChangedLate,
  ]

  private static let kinds: [TimelineEvent.Kind] =
    [
      .callback(name: "f(_:)", detail: "data"), .leftOut(name: "f(_:)", detail: ""), .cancelled,
      .enqueued(destination: "thread 5"), .transfer(.headReceived), .note("a sentence"),
      .taken(destination: "thread 5"), .returned(othersWaited: true), .waiting(thread: 3, .blocked),
    ] + steps.map { .step($0) }

  private static let payloads: [ProgramEvent.Payload] = [
    .none, .bytes(1 << 33), .file, .response(status: 200, expectedLength: -1, type: "text/plain"),
    .progress(piece: 1, total: 2, expected: -1), .failure(domain: "NSURLErrorDomain", code: -999), .success,
  ]

  private static let events: [ProgramEvent] = kinds.enumerated().flatMap { index, kind in
    payloads.map { payload in
      let thread = Place.ThreadIdentity(number: index, name: "worker", isMain: index == 1)
      var event = ProgramEvent(
        instant: 1_000_000_007, subject: UInt64(index), kind: kind,
        place: Place(thread: thread, queue: index % 2 == 0 ? "q" : nil, runLoopMode: nil), payload: payload)
      event.count = index + 1
      return event
    }
  }

  @Test func `each event is read as it was written`() {
    for event in Self.events { #expect(EventCodec.event(in: EventCodec.bytes(of: event)[...]) == event) }
  }

  @Test func `a record that is cut or too long is none`() {
    for event in Self.events {
      let bytes = EventCodec.bytes(of: event)
      for count in bytes.indices { #expect(EventCodec.event(in: bytes[..<count]) == nil) }
      #expect(EventCodec.event(in: (bytes + [0])[...]) == nil)
    }
  }

  @Test func `bytes that nobody wrote never trap`() {
    var random = SystemRandomNumberGenerator()
    for event in Self.events {
      var bytes = EventCodec.bytes(of: event)
      for _ in 0..<200 {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
        var table = PitfallTable()
        if let event = EventCodec.event(in: bytes[...]) { _ = table.take(event) }
      }
    }
  }
}
