// SPDX-License-Identifier: Apache-2.0
import Timeline

/// Finds uses that are right once and cost by their number: a session or a thread for each load, an answer that the program
/// loads again and again, sessions that it never invalidates. The machine reports the first beyond the limit at once, and their
/// number at the program's end.
struct TooMany: PitfallMachine {
  private static let limit = 8
  /// So many threads or sessions with one load each will hardly get a second.
  private static let surely = 32
  private static let loadLimit = 5

  private struct Session {
    var needsEnd: Bool
    var loads = 0
    /// Loads that have not ended.
    var open = 0
    var hasLoaded = false
    /// Where its one load went.
    var origin = ""

    var isIdle: Bool { hasLoaded && open == 0 }
  }

  private enum Served {
    case one(UInt64)
    case many
  }

  private struct Load {
    var session: UInt64
    var isConnection: Bool
    /// The address, where the request forbids stored answers.
    var fetches: String?
    var hasRequest = false
    var isOpen = true
  }

  /// Sessions that have not been invalidated.
  private var sessions: [UInt64: Session] = [:]
  /// Those of them that have to be ended and whose loads have ended, one at least.
  private var idle = 0
  /// The sessions that the program let go of without an end.
  private var letGo = 0
  private var loads: [UInt64: Load] = [:]
  /// How many sessions have loaded once, by origin.
  private var singles = RecentValues<String, Int>()
  /// The load that each thread's run loop served, or that there were many.
  private var served = RecentValues<Int, Served>()
  private var threads = 0
  /// How often the storable answer of an address came though stored ones were forbidden.
  private var fetches = RecentValues<String, Int>()
  /// Addresses for which a stored answer was allowed once.
  private var allowed = RecentValues<String, Bool>()
  /// Where there were as many threads or sessions with one load each as may be too many.
  private var last: [Pitfall: PitfallFinding] = [:]
  /// The findings that were told, with the largest number of each.
  private var told: [Pitfall: PitfallFinding] = [:]

  mutating func take(_ event: ProgramEvent, _ found: (PitfallFinding) -> Void) {
    switch event.kind {
    case .step(.sessionMade(let needsEnd)): sessions[event.subject] = Session(needsEnd: needsEnd)
    case .step(.sessionInvalidated): ended(event.subject)
    case .step(.sessionLetGo(let atEnd)):
      guard ended(event.subject) else { return }
      letGo += 1
      // One that was there until the end may have been meant for the life of the program.
      tell(.sessionKept, event, letGo, grade: atEnd && letGo == 1 ? .look : nil, found)
    case .step(.made(let form, let session, _, _)):
      let isConnection = [.connection, .waitingConnection].contains(form)
      loads[event.subject] = Load(session: session, isConnection: isConnection)
      if sessions[session]?.needsEnd == true, sessions[session]?.isIdle == true { idle -= 1 }
      sessions[session]?.open += 1
    case .step(.request(let facts)): take(facts, event, found)
    case .step(.answer(let facts)): take(facts, event, found)
    case .callback:
      noteThread(event, found)
      switch event.payload {
      case .success, .failure: loadEnded(event, found)
      default: break
      }
    case .step(.endedUnheard): loadEnded(event, found)
    case .step(.letGo):
      loadEnded(event, found)
      loads[event.subject] = nil
    default: break
    }
  }

  mutating func end(at instant: Int64, _ found: (PitfallFinding) -> Void) {
    tellMany(.threadALoad, threads, found)
    if let most = singles.all.max() { tellMany(.sessionARequest, most, found) }
    for pitfall in Pitfall.allCases { told[pitfall].map(found) }
  }

  mutating func lose() { (sessions, idle, loads) = ([:], 0, [:]) }

  /// Threads or sessions with one load each: the program has ended, and none got a second.
  private mutating func tellMany(_ pitfall: Pitfall, _ count: Int, _ found: (PitfallFinding) -> Void) {
    guard count >= Self.limit, told[pitfall] == nil, var finding = last[pitfall] else { return }
    finding.figure = .count(count)
    found(finding)
  }

  // MARK: - Sessions

  private mutating func loadEnded(_ event: ProgramEvent, _ found: (PitfallFinding) -> Void) {
    guard let load = loads[event.subject], load.isOpen else { return }
    loads[event.subject]?.isOpen = false
    guard let session = sessions[load.session] else { return }
    sessions[load.session]?.open = session.open - 1
    sessions[load.session]?.hasLoaded = true
    guard session.needsEnd, session.open == 1 else { return }
    idle += 1
    if idle >= Self.limit { tell(.sessionKept, event, idle + letGo, found) }
  }

  /// True if the session had a delegate, and was not ended before.
  @discardableResult private mutating func ended(_ session: UInt64) -> Bool {
    guard let session = sessions.removeValue(forKey: session), session.needsEnd else { return false }
    if session.isIdle { idle -= 1 }
    return true
  }

  private mutating func take(_ facts: RequestFacts, _ event: ProgramEvent, _ found: (PitfallFinding) -> Void) {
    guard let load = loads[event.subject] else { return }
    loads[event.subject]?.fetches = facts.method == "GET" && !facts.mayBeStored ? facts.url : nil
    if facts.method == "GET", facts.mayBeStored { allowed.set(true, for: facts.url) }
    guard !load.hasRequest else { return }
    loads[event.subject]?.hasRequest = true
    guard var session = sessions[load.session] else { return }
    session.loads += 1
    defer { sessions[load.session] = session }
    switch session.loads {
    case 1:
      session.origin = Self.origin(of: facts.url)
      let count = (singles[session.origin] ?? 0) + 1
      singles.set(count, for: session.origin)
      note(.sessionARequest, event, count, found)
    case 2: singles.set((singles[session.origin] ?? 1) - 1, for: session.origin)
    default: break
    }
  }

  /// Scheme, host and port of an address.
  private static func origin(of url: String) -> String {
    var slashes = 0
    return String(
      url.prefix { letter in
        if letter == "/" { slashes += 1 }
        return slashes < 3 && letter != "?" && letter != "#"
      })
  }

  // MARK: - Answers and threads

  private mutating func take(_ facts: AnswerFacts, _ event: ProgramEvent, _ found: (PitfallFinding) -> Void) {
    guard facts.isStorable, let url = loads[event.subject]?.fetches else { return }
    let count = (fetches[url] ?? 0) + 1
    fetches.set(count, for: url)
    if count >= Self.loadLimit, allowed[url] == nil { tell(.cacheNeverAsked, event, count, found) }
  }

  private mutating func noteThread(_ event: ProgramEvent, _ found: (PitfallFinding) -> Void) {
    let place = event.place
    guard !place.thread.isMain, place.runLoopMode != nil, place.queue == nil,
      loads[event.subject]?.isConnection == true
    else { return }
    switch served[place.thread.number] {
    case nil:
      served.set(.one(event.subject), for: place.thread.number)
      threads += 1
      note(.threadALoad, event, threads, found)
    case .one(let other) where other != event.subject:
      served.set(.many, for: place.thread.number)
      threads -= 1
    default: break
    }
  }

  /// One more that has one load alone, so far.
  private mutating func note(
    _ pitfall: Pitfall, _ event: ProgramEvent, _ count: Int, _ found: (PitfallFinding) -> Void
  ) {
    if count == Self.limit {
      last[pitfall] = PitfallFinding(
        pitfall, subject: event.subject, at: event.instant, thread: event.place.thread.number, figure: .count(count))
    }
    if count >= Self.surely { tell(pitfall, event, count, found) }
  }

  private mutating func tell(
    _ pitfall: Pitfall, _ event: ProgramEvent, _ count: Int, grade: Pitfall.Grade? = nil,
    _ found: (PitfallFinding) -> Void
  ) {
    var finding = PitfallFinding(
      pitfall, subject: event.subject, at: event.instant, thread: event.place.thread.number, figure: .count(count),
      grade: grade)
    if told[pitfall] == nil { found(finding) }
    finding.isUpdate = true
    if told[pitfall]?.figure.isMore(than: finding.figure) != true { told[pitfall] = finding }
  }
}
