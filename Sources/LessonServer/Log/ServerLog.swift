// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

/// The record of what the server saw: the evidence for traffic, because a client's word about itself is none.
///
/// Every method may be called from any thread. A request is in the log once its head has arrived; what was sent for it
/// stands there once the answer has ended, which may be a moment after the client has it. `settled(within:)` waits for
/// that moment.
public final class ServerLog: Sendable {
  /// How many of something there were since the log was made or reset.
  public struct Counts: Sendable, Hashable {
    /// Connections accepted.
    public var opened = 0
    /// Connections the server is done with.
    public var closed = 0
    /// Connections that live now; a reset leaves this number alone.
    public var live = 0
    /// Requests whose head has arrived.
    public var begun = 0
    /// Requests the server is done with.
    public var ended = 0
    /// Requests being worked on now; a reset leaves this number alone.
    public var inFlight = 0
  }

  /// A request as the connections note it: its head is parsed only for a snapshot.
  struct Entry: Sendable {
    var id = 0
    var socket: Int
    var head: RequestHead
    var body = BodyChecksum()
    var status: Int?
    /// The head of the answer, status line first; empty where none was sent.
    var answerHead: [UInt8] = []
    var bytesSent: Int64 = 0
    var began = MonotonicTime.now()
    var answered: MonotonicTime?
    var ended: MonotonicTime?
  }

  private struct State {
    var counts = Counts()
    var sockets: [Int: SocketRecord] = [:]
    var open: [Int: Entry] = [:]
    var done: [Entry] = []
    var headBytes = 0
    var notKept = 0
    var lastSocket = 0
    var lastRequest = 0
    /// The number of the last connection when the log was last taken: its traffic, and that of earlier ones, was in that log.
    var takenSocket = 0
    var takenInFlight = 0
  }

  private let state = Monitor(State())
  private let limit: Int
  private let byteLimit: Int
  private let sentMarks = Monitor(SentMarks())

  /// An empty log that keeps the first `requestLimit` requests, as long as their heads have `byteLimit` bytes together, and
  /// as many connections; the rest is only counted.
  public init(requestLimit: Int = 200_000, byteLimit: Int = .max) {
    limit = requestLimit
    self.byteLimit = byteLimit
  }

  // MARK: - Reading

  /// All that is in the log now.
  public func snapshot() -> ServerLogSnapshot {
    makeSnapshot(of: state.withLock { $0 })
  }

  /// All that is in the log now; then forgets connections that are closed and requests that are done.
  public func take() -> ServerLogSnapshot { take { _ in } }

  /// All that is in the log now, when its clients have ended; then forgets all of it. What still comes over the connections
  /// that are open now is not kept: it is left over from them, and the next client's log begins here.
  public func takeRun() -> ServerLogSnapshot {
    take { state in
      (state.sockets, state.open) = ([:], [:])
      (state.takenSocket, state.takenInFlight) = (state.lastSocket, state.counts.inFlight)
    }
  }

  private func take(_ change: (inout State) -> Void) -> ServerLogSnapshot {
    let taken = state.withLock { state in
      let copy = state
      Self.forget(&state)
      change(&state)
      return copy
    }
    defer { sentMarks.withLock { $0 = SentMarks() } }
    return makeSnapshot(of: taken)
  }

  /// Forgets connections that are closed and requests that are done, and sets the counts to zero.
  public func reset() {
    state.withLock { Self.forget(&$0) }
    sentMarks.withLock { $0 = SentMarks() }
  }

  /// How many connections and requests there were.
  public var counts: Counts { state.withLock { $0.counts } }

  // MARK: - Waiting

  /// Waits until `condition` holds for the counts; false when the time is over.
  @discardableResult
  public func wait(within limit: Duration, until condition: (Counts) -> Bool) -> Bool {
    state.wait(within: limit) { condition($0.counts) }
  }

  /// Waits until the heads of this many requests have arrived; false when the time is over.
  @discardableResult
  public func waitForRequests(_ count: Int, within limit: Duration) -> Bool {
    wait(within: limit) { $0.begun >= count }
  }

  /// Waits until no request is being worked on, those apart that were when the log was taken, and answers the log as it is
  /// then (or when the time is over).
  public func settled(within limit: Duration) -> ServerLogSnapshot {
    _ = state.wait(within: limit) { $0.counts.inFlight <= $0.takenInFlight }
    return snapshot()
  }

  /// Waits until every connection is closed; false when the time is over.
  @discardableResult
  public func waitUntilClosed(within limit: Duration) -> Bool {
    wait(within: limit) { $0.live == 0 }
  }

  // MARK: - Writing, for the connections

  /// Notes bytes that were sent over any connection.
  func noteSent(_ count: Int) {
    let now = MonotonicTime.now().seconds
    sentMarks.withLock { $0.add(count, at: now) }
  }

  func socketOpened() -> Int {
    state.withLock { state in
      state.lastSocket += 1
      state.counts.opened += 1
      state.counts.live += 1
      let now = MonotonicTime.now().seconds
      guard state.sockets.count < limit else {
        state.notKept += 1
        return state.lastSocket
      }
      state.sockets[state.lastSocket] = SocketRecord(id: state.lastSocket, opened: now, requests: 0)
      return state.lastSocket
    }
  }

  func socketSecured(_ id: Int, _ record: TLSRecord) {
    state.withLock { $0.sockets[id]?.tls = record }
  }

  func socketClosed(_ id: Int) {
    state.withLock { state in
      state.counts.closed += 1
      state.counts.live -= 1
      state.sockets[id]?.closed = MonotonicTime.now().seconds
    }
  }

  /// Notes a request whose answer is still to come; answers its id.
  func begin(_ entry: Entry) -> Int {
    state.withLock { state in
      var entry = entry
      state.lastRequest += 1
      entry.id = state.lastRequest
      state.counts.begun += 1
      state.counts.inFlight += 1
      state.sockets[entry.socket]?.requests += 1
      if entry.socket > state.takenSocket { state.open[entry.id] = entry } else { state.takenInFlight += 1 }
      return entry.id
    }
  }

  /// Notes the end of a request that `begin` has noted.
  func end(_ id: Int, _ change: (inout Entry) -> Void) {
    state.withLock { state in
      state.counts.ended += 1
      state.counts.inFlight -= 1
      guard var entry = state.open.removeValue(forKey: id) else {
        state.takenInFlight = max(0, state.takenInFlight - 1)
        return
      }
      entry.ended = .now()
      change(&entry)
      keep(entry, in: &state)
    }
  }

  /// Notes a request and its fixed answer in one go, for the fast path.
  func note(_ entry: Entry) {
    state.withLock { state in
      var entry = entry
      state.lastRequest += 1
      entry.id = state.lastRequest
      (entry.answered, entry.ended) = (entry.began, entry.began)
      state.counts.begun += 1
      state.counts.ended += 1
      state.sockets[entry.socket]?.requests += 1
      keep(entry, in: &state)
    }
  }

  private func keep(_ entry: Entry, in state: inout State) {
    guard entry.socket > state.takenSocket else { return }
    let size = entry.head.fields.reduce(entry.head.target.utf8.count + entry.answerHead.count) {
      $0 + $1.name.utf8.count + $1.value.utf8.count
    }
    if state.done.count < limit, size <= byteLimit - state.headBytes {
      state.done.append(entry)
      state.headBytes += size
    } else {
      state.notKept += 1
    }
  }

  private static func forget(_ state: inout State) {
    let (live, inFlight) = (state.counts.live, state.counts.inFlight)
    state.counts = Counts(live: live, inFlight: inFlight)
    state.sockets = state.sockets.filter { $0.value.closed == nil }
    state.done = []
    (state.headBytes, state.notKept) = (0, 0)
  }

  private func makeSnapshot(of state: State) -> ServerLogSnapshot {
    let sent = sentMarks.withLock { $0 }
    return ServerLogSnapshot(
      sockets: state.sockets.values.sorted { $0.id < $1.id },
      requests: (state.done + state.open.values).sorted { $0.id < $1.id }.map(\.record),
      requestsNotKept: state.notKept,
      sent: sent)
  }
}

extension ServerLog.Entry {
  fileprivate var record: RequestRecord {
    RequestRecord(
      id: id, socket: socket, version: head.version, method: head.method, target: head.target, fields: head.fields,
      bodyBytes: body.count, bodyChecksum: body.value, status: status,
      answerLines: RequestHead.lines(of: answerHead).map(RequestHead.latin1),
      bytesSent: bytesSent,
      began: began.seconds, answered: answered?.seconds, ended: ended?.seconds)
  }
}
