// SPDX-License-Identifier: Apache-2.0
import Glibc
import LessonServer
import Locking
import Pitfalls
public import Timeline

/// Keeps what a lesson needs of the timeline: counts by place, the order as stretches, checksums of bodies.
///
/// It stands inside the process it observes, so it allocates nothing per event once every kind and place has been
/// seen, and it keeps account of its own processor time, which is taken off the example's.
public final class CallbackRecorder: TimelineRecorder {
  /// A load with what must not wait for the recorder's lock.
  private struct Load {
    var record: LoadRecord
    var body = BodyDigest()
    var isInside = false
    var isWaiting = false
    var waitingAt = ""
    var hasOwnMailbox = false

    /// Tasks of one session may share a mailbox, which has a number of its own and only ever waits.
    var isMailbox: Bool {
      record
        == LoadRecord(subject: record.subject, origin: record.origin, side: record.side, began: record.began)
    }
  }

  private struct State {
    var start = ContinuousClock.now
    var firstSubject: UInt64 = 0
    var isOpen = false
    var tallies = CallbackTallies()
    var order: [Recording.Stretch] = []
    var flow = ByteFlow()
    var loads: [Load] = []
    /// The place of each load among them, by its number.
    var places: [UInt64: Int] = [:]
    /// The thread that made each load, and the API; of a connection that is started later, the thread that started it.
    var makings: [UInt64: (thread: PlaceCount.ThreadID, side: Side)] = [:]
    var overlaps = 0
    var notes: [String] = []
    var ownNanoseconds = 0
    /// nil once the program has ended.
    var pitfalls: PitfallTable? = PitfallTable()
    var found = PitfallSum()
  }

  private static let orderLimit = 4096
  /// The methods that ask about a redirect.
  private static let redirects: Set = [
    "connection(_:willSend:redirectResponse:)",
    "urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)",
  ]
  private let state: Locked<State>

  /// A recorder that does not record yet.
  public init() {
    var state = State()
    state.order.reserveCapacity(Self.orderLimit)
    state.loads.reserveCapacity(64)
    state.places.reserveCapacity(64)
    self.state = Locked(state)
  }

  /// Starts recording: instants count from `start`, and only loads with numbers above `subject` matter.
  public func begin(at start: ContinuousClock.Instant, after subject: UInt64) {
    state.withLock { state in
      state.start = start
      state.firstSubject = subject
      state.isOpen = true
    }
  }

  /// Ends the recording and answers what was recorded, and the processor seconds the recorder itself has used.
  public func end() -> (recording: Recording, ownSeconds: Double) {
    state.withLock { state in
      Self.endPitfalls(in: &state)
      state.isOpen = false
      return (Self.makeRecording(of: state), Double(state.ownNanoseconds) / 1e9)
    }
  }

  /// Takes in one event; called on the thread where it happened.
  public func record(_ event: TimelineEvent, payload: TimelineEvent.Payload) {
    let began = ThreadClock.now()
    let body: BodyDigest? = state.withLock { state in
      guard state.isOpen, event.subject > state.firstSubject || event.subject == 0 else { return nil }
      Self.look(at: ProgramEvent(event, payload, since: state.start), in: &state)
      switch event.kind {
      case .step(.made(let form, _, _, _)):
        state.makings[event.subject] = (PlaceCount(event.place, count: 1).thread, Side(form))
      case .step(.started): state.makings[event.subject]?.thread = PlaceCount(event.place, count: 1).thread
      default: break
      }
      guard event.subject > state.firstSubject, !event.isForPitfalls else { return nil }
      return Self.note(event, payload, in: &state)
    }
    if let body {
      body.take(payload)
    }
    let own = ThreadClock.now() - began
    state.withLock { state in
      state.ownNanoseconds += own
      guard body != nil, let index = Self.index(of: event.subject, in: state) else { return }
      state.loads[index].isInside = false
    }
  }

  /// Takes that time has passed, which some pitfalls wait for; called some twenty times a second.
  func tick() {
    let now = ContinuousClock.now
    state.withLock { state in
      guard state.isOpen, let findings = state.pitfalls?.pass(to: Self.nanoseconds(now - state.start)) else { return }
      state.found.add(findings)
    }
  }

  /// Takes that the program has ended: what comes later is no pitfall of it.
  func programEnded() {
    Timeline.look(isAtEnd: true)
    state.withLock { Self.endPitfalls(in: &$0) }
  }

  // MARK: - Under the lock

  private static func look(at event: ProgramEvent, in state: inout State) {
    if let findings = state.pitfalls?.take(event) { state.found.add(findings) }
  }

  private static func endPitfalls(in state: inout State) {
    guard state.isOpen, let findings = state.pitfalls?.end(at: nanoseconds(.now - state.start)) else { return }
    state.found.add(findings)
    state.pitfalls = nil
  }

  private static func nanoseconds(_ duration: Duration) -> Int64 {
    duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000
  }

  /// Notes everything but the body's bytes; answers the digest that is to take those, when the event is a callback.
  private static func note(
    _ event: TimelineEvent, _ payload: TimelineEvent.Payload, in state: inout State
  ) -> BodyDigest? {
    let elapsed = event.instant - state.start
    let instant = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    let load = index(of: event.subject, in: state) ?? add(event, to: &state)
    switch event.kind {
    case .callback(let name, let detail):
      ProgramObserver.shared.countCallback()
      // A handler is told in two events, its body and its end, but it is called once.
      if detail != "end" || !state.loads[load].record.hasBody {
        count(name, detail == "end" ? "" : detail, event, instant, in: &state)
      }
      if state.loads[load].isInside { state.overlaps += 1 }
      state.loads[load].isInside = true
      // The response that redirects is the delegate's to judge; the load's own response comes after it.
      if !Self.redirects.contains(name) { state.loads[load].record.take(payload, at: instant) }
      state.flow.add(bytes(of: payload), at: instant)
      noteDelivery(to: load, in: &state)
      return state.loads[load].body
    case .leftOut(let name, let detail):
      state.tallies.leaveOut(name, detail)
    case .cancelled:
      if state.loads[load].record.cancelled == nil { state.loads[load].record.cancelled = instant }
    case .enqueued(let destination):
      state.loads[load].isWaiting = true
      state.loads[load].hasOwnMailbox = true
      state.loads[load].waitingAt = destination
    case .transfer(let stage):
      // Work that waited before the transfer has run, even if the delegate has no method for it.
      if stage == .started { state.loads[load].isWaiting = false }
      state.loads[load].record.reach(stage, at: instant)
    case .note(let sentence):
      if state.notes.count < 32 { state.notes.append(sentence) }
    case .step, .taken, .returned, .waiting: break
    }
    return nil
  }

  /// Notes that the work that waited for this load has run now, or the work that waited in the mailbox it shares.
  private static func noteDelivery(to load: Int, in state: inout State) {
    state.loads[load].isWaiting = false
    guard !state.loads[load].hasOwnMailbox else { return }
    for index in state.loads.indices where state.loads[index].isMailbox { state.loads[index].isWaiting = false }
  }

  /// The bytes that a callback gave, or told of.
  private static func bytes(of payload: TimelineEvent.Payload) -> Int {
    switch payload {
    case .bytes(let buffer): buffer.count
    case .progress(let piece, _, _): Int(clamping: piece)
    default: 0
    }
  }

  private static func count(
    _ name: String, _ detail: String, _ event: TimelineEvent, _ instant: Double, in state: inout State
  ) {
    let index = state.tallies.add(name, detail, at: instant, event.place)
    if let last = state.order.indices.last, state.order[last].subject == event.subject,
      state.order[last].callback == index
    {
      state.order[last].count += 1
    } else if state.order.count < orderLimit {
      state.order.append(Recording.Stretch(subject: event.subject, callback: index, count: 1))
    }
  }

  private static func index(of subject: UInt64, in state: State) -> Int? {
    state.places[subject]
  }

  private static func add(_ event: TimelineEvent, to state: inout State) -> Int {
    let making = state.makings[event.subject]
    let elapsed = event.instant - state.start
    let record = LoadRecord(
      subject: event.subject, origin: making?.thread ?? PlaceCount(event.place, count: 1).thread, side: making?.side,
      began: elapsed / .seconds(1))
    state.places[event.subject] = state.loads.endIndex
    state.loads.append(Load(record: record))
    return state.loads.endIndex - 1
  }

  private static func makeRecording(of state: State) -> Recording {
    var recording = Recording()
    recording.callbacks = state.tallies.counts
    recording.order = state.order
    recording.ticks = state.tallies.ticks
    recording.flow = state.flow.bytes.isEmpty ? nil : state.flow
    recording.loads = state.loads.filter { !$0.isMailbox }.map { load in
      var record = load.record
      (record.bytes, record.checksum) = load.body.result
      return record
    }
    recording.overlaps = state.overlaps
    recording.waitingAt = state.loads.first(where: \.isWaiting)?.waitingAt
    recording.notes = state.notes
    recording.pitfalls = state.found.seen
    return recording
  }
}

extension Side {
  /// The API whose call makes a load of this form.
  fileprivate init(_ form: LoadForm) {
    switch form {
    case .connection, .waitingConnection, .synchronous, .queued: self = .connection
    case .task, .handlerTask, .rawTask: self = .session
    }
  }
}

extension TimelineEvent {
  /// True if it tells of no callback and no transfer.
  fileprivate var isForPitfalls: Bool {
    switch kind {
    case .step, .taken, .returned, .waiting: true
    default: false
    }
  }
}
