// SPDX-License-Identifier: Apache-2.0
import Pitfalls
import Testing
import Timeline

/// Each pitfall both ways: a course of events that shows it, and one beside it that does not.
@Suite struct PitfallTableTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var course: Course
    var found: [Pitfall: Pitfall.Grade]
    var testDescription: String { name }
  }

  private static func row(_ name: String, _ course: Course, _ found: [Pitfall: Pitfall.Grade] = [:]) -> Row {
    Row(name: name, course: course, found: found)
  }

  @Test(arguments: lives + waits + ends + answers + numbers)
  func `a course of events shows these pitfalls and no other`(_ row: Row) {
    #expect(row.course.found == row.found)
  }

  @Test func `each pitfall of the catalogue is shown by a course`() {
    let shown = Set((Self.lives + Self.waits + Self.ends + Self.answers + Self.numbers).flatMap { $0.found.keys })
    #expect(Set(Pitfall.allCases).subtracting(shown) == [])
  }

  private static func kept(_ course: Course, _ number: UInt64, ends: Bool = true) -> Course {
    let load = number + 100
    let begun = course.step(.sessionMade(needsEnd: true), number).made(.task, load, session: number)
      .step(.started, load)
    return ends ? begun.gives(.success, "e", load) : begun
  }
  private static let task = Course().made(.task, session: 7)

  static let lives = [
    row("let go, never resumed", task.step(.letGo), [.neverResumed: .wrong]),
    row("never resumed, at the end", task, [.neverResumed: .wrong]),
    row("cancelled before", task.then(.cancelled).step(.letGo)),
    row("resumed", task.step(.started).step(.letGo)),
    row("a connection never started", Course().made(.waitingConnection).step(.letGo), [.neverStarted: .wrong]),
    row("cancelled unstarted", Course().made(.waitingConnection).step(.cancelledUnstarted)),
    row("suspended to the end", task.step(.started).step(.suspended), [.suspendedToTheEnd: .wrong]),
    row("suspended and resumed", task.step(.started).step(.suspended).step(.resumed)),
    row("suspended and cancelled", task.step(.started).step(.suspended).then(.cancelled)),
    row("a configuration too late", Course().step(.configurationChangedLate, 0), [.configurationTooLate: .wrong]),
    row(
      "a session let go", Course().step(.sessionMade(needsEnd: true)).step(.sessionLetGo(atEnd: false)),
      [.sessionKept: .wrong]),
    row(
      "a session that was there to the end",
      Course().step(.sessionMade(needsEnd: true)).step(.sessionLetGo(atEnd: true)), [.sessionKept: .look]),
    row(
      "two of them",
      Course().step(.sessionMade(needsEnd: true), 1).step(.sessionMade(needsEnd: true), 2)
        .step(.sessionLetGo(atEnd: true), 1).step(.sessionLetGo(atEnd: true), 2), [.sessionKept: .wrong]),
    row(
      "a session without an end to make", Course().step(.sessionMade(needsEnd: false)).step(.sessionLetGo(atEnd: false))
    ),
    row(
      "invalidated",
      Course().step(.sessionMade(needsEnd: true)).step(.sessionInvalidated).step(.sessionLetGo(atEnd: false))),
    row("eight kept", .each(8) { kept($0, $1) }, [.sessionKept: .wrong]),
    row("seven kept", .each(7) { kept($0, $1) }),
    row("eight that still load", .each(8) { kept($0, $1, ends: false) }),
    row("a queue too late", Course().step(.ignored(.queueAfterStart)), [.queueAfterStart: .wrong]),
    row("scheduled too late", Course().step(.ignored(.scheduleAfterStart)), [.scheduledAfterStart: .wrong]),
  ]

  private static let sync = Course().made(.synchronous)
  private static let taken = TimelineEvent.Kind.taken(destination: "the place")
  private static let waiting = Course().then(.enqueued(destination: "the place"), on: 9)

  static let waits = [
    row(
      "synchronous on a main that serves",
      Course().step(.mainServes, 0).made(.synchronous).after(100)
        .callback(detail: "end", on: 1), [.blocksMain: .wrong]),
    row("on a main that never serves", sync.after(100).callback(detail: "end", on: 1), [.blocksMain: .look]),
    row("short", Course().step(.mainServes, 0).made(.synchronous).after(99).callback(detail: "end", on: 1)),
    row("late on main", waiting.looks(5, .serving).after(1).then(taken), [.lateOnMain: .costly]),
    row("late, for the process was stopped", waiting.looks(1, .serving).after(2000).then(taken)),
    row("in time", waiting.looks(4, .serving).after(49).then(taken)),
    row("late on another thread", waiting.looks(20, .serving, thread: 4).then(taken, on: 4)),
    row("in other modes alone", waiting.looks(6, .elsewhere).then(taken), [.modeStarved: .wrong]),
    row("in other modes to the end", waiting.looks(6, .elsewhere), [.modeStarved: .wrong]),
    row("no loop ran", waiting.looks(21, .idle, thread: 4), [.noRunLoop: .wrong]),
    row("no loop, for a blocked thread of a pool", waiting.looks(21, .blocked, thread: 4), [.noRunLoop: .wrong]),
    row(
      "main is busy before it runs its loop", waiting.looks(40, .idle).then(taken, mode: "m"),
      [.lateOnMain: .costly]),
    row("main never runs its loop", waiting.looks(21, .idle), [.noRunLoop: .wrong]),
    row("no loop yet, then it ran", waiting.looks(10, .idle, thread: 4).then(taken, on: 4, mode: "m")),
    row("main waits for itself at the end", waiting.looks(22, .blocked), [.waitsForItself: .wrong]),
    row(
      "and without an end", waiting.looks(202, .blocked).then(taken), [.waitsForItself: .wrong, .lateOnMain: .costly]),
    row("main waits two seconds for something else", waiting.looks(40, .blocked).then(taken), [.lateOnMain: .costly]),
    row("main waits a moment", waiting.looks(3, .blocked).then(taken)),
    row(
      "a callback that others wait for",
      Course().then(taken, 1, on: 3).then(.enqueued(destination: "the place"), 2).after(500)
        .then(.returned(othersWaited: false), 1, on: 3), [.slowCallback: .costly]),
    row(
      "the next one in its mailbox waits",
      Course().then(taken, 1, on: 3).after(500).then(.returned(othersWaited: true), 1, on: 3),
      [.slowCallback: .costly]),
    row("nobody waits", Course().then(taken, 1, on: 3).after(500).then(.returned(othersWaited: false), 1, on: 3)),
    row(
      "others wait elsewhere",
      Course().then(taken, 1, on: 3).then(.enqueued(destination: "another"), 2).after(500)
        .then(.returned(othersWaited: false), 1, on: 3)),
  ]

  private static let failed = Course().gives(.failure(domain: "NSURLErrorDomain", code: -1004), "e")

  static let ends = [
    row("an error without a method", failed.then(.leftOut(name: "e", detail: "")), [.errorUnheard: .wrong]),
    row("an error that is heard", failed.then(.returned(othersWaited: false))),
    row(
      "cancelled by the program",
      Course().gives(.failure(domain: "NSURLErrorDomain", code: -999), "e").then(.leftOut(name: "e", detail: ""))),
    row("an error and no protocol", Course().step(.endedUnheard(code: -1004)), [.errorUnheard: .wrong]),
    row(
      "an end without a method", Course().gives(.success, "e").then(.leftOut(name: "e", detail: "")),
      [.endUnheard: .costly]),
    row(
      "its bytes are taken", Course().gives(.bytes(1)).gives(.success, "e").then(.leftOut(name: "e", detail: ""))),
    row("16 MiB for a handler", Course().made(.queued).gives(.bytes(16 << 20)), [.wholeBodyInMemory: .costly]),
    row("a byte less", Course().made(.queued).gives(.bytes(16 << 20 - 1))),
    row("a piece for a delegate", Course().made(.connection).gives(.bytes(16 << 20))),
    row("a file left", Course().step(.fileReturned(.left)), [.fileLeft: .wrong]),
    row("a file read", Course().step(.fileReturned(.read)), [.fileLeft: .look]),
    row("a file moved", Course().step(.fileReturned(.moved))),
    row(
      "an error's page moved", Course().step(.answer(AnswerFacts(status: 404))).step(.fileReturned(.moved)),
      [.errorAsSuccess: .look]),
    row("an error's page left", Course().step(.answer(AnswerFacts(status: 404))).step(.fileReturned(.left))),
    row("removed", Course().step(.answer(AnswerFacts(status: 404))).step(.fileReturned(.removed))),
  ]

  private static func redirect(_ method: String = "GET", changesOrigin: Bool = false, carries: Bool = false)
    -> ProgramStep
  {
    .redirected(
      RedirectFacts(method: method, newMethod: "GET", changesOrigin: changesOrigin, carriesCredentials: carries))
  }
  private static let ask = "urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)"
  private static let redirecting = ProgramEvent.Payload.response(status: 302, expectedLength: 0, type: nil)
  private static func range(_ from: Int, ifRange: String? = nil) -> RequestFacts {
    RequestFacts(
      method: "GET", url: "http://a/f", range: "bytes=\(from)-", ifRange: ifRange)
  }
  private static func part(_ status: Int, _ version: String, from: Int) -> ProgramStep {
    .answer(AnswerFacts(status: status, validator: version, contentRange: "bytes \(from)-9/10"))
  }
  private static func trust(holds: Bool) -> ProgramStep {
    .challenged(ChallengeFacts(isServerTrust: true, trustHolds: holds, hasCredential: true))
  }

  static let answers = [
    row(
      "to another origin", Course().step(redirect(changesOrigin: true, carries: true)), [.credentialsToAnother: .wrong]),
    row("to the same origin", Course().step(redirect(carries: true))),
    row("a POST became a GET", Course().step(redirect("POST")), [.postBecameGet: .look]),
    row("the delegate was asked", Course().gives(redirecting, ask).step(redirect("POST"))),
    row("it is told late that it was asked", Course().step(redirect("POST")).gives(redirecting, ask).step(.letGo)),
    row("a stream from a copy", Course().step(.streamCopied(bytes: 9)), [.streamCopied: .costly]),
    row(
      "rejected and offered again",
      Course().step(.challenged(ChallengeFacts(isServerTrust: false, hasCredential: true, repeatsRejected: true))),
      [.sameCredential: .wrong]),
    row("offered once", Course().step(.challenged(ChallengeFacts(isServerTrust: false, hasCredential: true)))),
    row("any certificate", Course().step(trust(holds: false)), [.anyCertificate: .look]),
    row("a certificate that holds", Course().step(trust(holds: true))),
    row(
      "a password in clear", Course().request(RequestFacts(method: "GET", url: "http://a/", isInClear: true)),
      [.passwordInClear: .wrong]),
    row("a password on a way that nobody reads", Course().request(RequestFacts(method: "GET", url: "https://a/"))),
    row("another start", Course().request(range(5)).step(part(200, "v1", from: 0)), [.rangeUnchecked: .wrong]),
    row(
      "another version",
      Course().step(.made(.task, session: 0, method: "GET", url: "")).step(.started)
        .request(RequestFacts(method: "GET", url: "http://a/f")).step(part(200, "v1", from: 0))
        .request(range(5)).step(part(206, "v2", from: 5)), [.rangeUnchecked: .wrong]),
    row("with If-Range", Course().request(range(5, ifRange: "v1")).step(part(200, "v2", from: 0))),
    row(
      "two parts unchecked", Course().request(range(1), 1).request(range(5), 2), [.partsUnchecked: .look]),
    row("two parts checked", Course().request(range(1, ifRange: "v"), 1).request(range(5, ifRange: "v"), 2)),
  ]

  private static func fetch(_ course: Course, _ load: UInt64, storable: Bool = true, mayBeStored: Bool = false)
    -> Course
  {
    course.made(.task, load).step(.started, load)
      .request(RequestFacts(method: "GET", url: "http://a/", mayBeStored: mayBeStored), load)
      .step(.answer(AnswerFacts(status: 200, isStorable: storable)), load).step(.letGo, load)
  }
  private static func single(_ course: Course, _ number: UInt64) -> Course {
    let (session, load) = (number * 2, number * 2 + 1)
    return course.step(.sessionMade(needsEnd: false), session).made(.task, load, session: session).step(.started, load)
      .request(RequestFacts(method: "GET", url: "http://a/"), load).step(.letGo, load)
  }
  private static func thread(_ course: Course, _ load: UInt64, number: Int) -> Course {
    course.made(.connection, load).callback("f", detail: "", load, on: number, mode: "m")
  }

  static let numbers = [
    row("five times forbidden", .each(5) { fetch($0, $1) }, [.cacheNeverAsked: .costly]),
    row("four times", .each(4) { fetch($0, $1) }),
    row("allowed", .each(9) { fetch($0, $1, mayBeStored: true) }),
    row("not storable", .each(9) { fetch($0, $1, storable: false) }),
    row("eight sessions, a request each", .each(8) { single($0, $1) }, [.sessionARequest: .costly]),
    row("seven", .each(7) { single($0, $1) }),
    row("eight threads, a connection each", .each(8) { thread($0, $1, number: Int($1) + 1) }, [.threadALoad: .costly]),
    row("eight threads for many", .each(80) { thread($0, $1, number: Int($1) % 8 + 2) }),
    row("once allowed", .each(9) { fetch($0, $1, mayBeStored: $1 == 1) }),
    row("one thread for all", .each(20) { thread($0, $1, number: 2) }),
  ]

  // MARK: - Whatever comes

  @Test func `events in any order, cut anywhere and repeated, end no process`() {
    let all = (Self.lives + Self.waits + Self.ends + Self.answers + Self.numbers).flatMap(\.course.events)
    for seed in 0..<50 {
      var (table, sum) = (PitfallTable(), PitfallSum())
      var position = seed
      for _ in 0..<all.count {
        position = (position &* 31 &+ 17) % all.count
        sum.add(table.take(all[position]))
        if position % 13 == 0 { sum.add(table.pass(to: all[position].instant)) }
        if position % 97 == 0 { table.lose(upTo: all[position].subject) }
      }
      sum.add(table.end(at: 0))
    }
  }

  @Test func `the largest figure and the number of findings are kept, with the first place`() throws {
    let course = Course().made(.queued).gives(.bytes(16 << 20)).made(.queued, 2).after(5).gives(
      .bytes(32 << 20), "f", 2)
    var (table, sum) = (PitfallTable(), PitfallSum())
    for event in course.events { sum.add(table.take(event)) }
    let seen = try #require(sum.seen.first)
    #expect((seen.count, seen.load, seen.figure) == (2, 1, .bytes(32 << 20)))
  }
}
