// SPDX-License-Identifier: Apache-2.0
import Pitfalls
import Recorder
public import Timeline

/// One load of a measured program, as a row of the report.
public struct LoadRow: Codable, Sendable, Hashable {
  /// Its number on the program's timeline.
  public var number: UInt64
  /// How it was made; nil where the recorder came later.
  public var form: String?
  /// The method of its last request.
  public var method = ""
  /// The address of its last request, values of query items replaced.
  public var url = ""
  /// The last HTTP status; 0 where none came.
  public var status = 0
  /// Body bytes its callbacks were given, or were told of.
  public var bytes: Int64 = 0
  /// Seconds since the program's start.
  public var began: Double
  /// When its end was told, it was cancelled or let go; nil where neither came.
  public var ended: Double?
  /// True if it made a connection of its own; nil where nothing went over the network.
  public var isNewConnection: Bool?
  /// Where its callbacks came, in words; empty where none did.
  public var place = ""
  /// The longest time in seconds that a callback of it waited for its place.
  public var longestWait = 0.0
  /// The error of its end: domain and code; nil where there was none.
  public var error: String?
  /// True if it was ever started.
  public var isStarted = false
  /// True if events of it are missing: what it does not tell may have been.
  public var isIncomplete = false
}

/// The loads of a program, the first of them as rows, the rest counted.
struct LoadRows {
  /// How many rows are kept.
  static let limit = 2000
  private static let mostWaits = 1 << 16

  private(set) var rows: [LoadRow] = []
  /// Loads that found no room among the rows.
  private(set) var unshown = 0
  private var indices: [UInt64: Int] = [:]
  /// Those of the rows whose loads have not ended.
  private var open: Set<Int> = []
  /// The longest time in seconds that a callback for the main thread waited.
  private(set) var longestMainWait = 0.0
  private var waits: [UInt64: Int64] = [:]
  /// The wait that has just ended on a thread, for the load whose callback runs there next.
  private var takenWaits: [Int: Int64] = [:]
  private let showsQueries: Bool

  init(showsQueries: Bool) { self.showsQueries = showsQueries }

  mutating func take(_ event: ProgramEvent) {
    let all = showsQueries
    switch event.kind {
    case .enqueued:
      if waits.count == Self.mostWaits { waits = [:] }
      waits[event.subject] = event.instant
    case .taken:
      guard let since = waits.removeValue(forKey: event.subject) else { return }
      if takenWaits.count == Self.mostWaits { takenWaits = [:] }
      takenWaits[event.place.thread.number] = event.instant - since
      if event.place.thread.isMain { longestMainWait = max(longestMainWait, Double(event.instant - since) / 1e9) }
    case .step(.made(let form, _, let method, let url)):
      change(event) {
        ($0.form, $0.method, $0.url) = ("\(form)", method, ShownText.ofAddress(url, showsQueries: all))
        $0.isStarted = ![.waitingConnection, .task, .handlerTask, .rawTask].contains(form)
      }
    case .step(.started): change(event) { $0.isStarted = true }
    case .step(.request(let facts)):
      change(event) {
        ($0.method, $0.url, $0.isStarted) = (facts.method, ShownText.ofAddress(facts.url, showsQueries: all), true)
      }
    case .step(.answer(let facts)): change(event) { $0.status = facts.status }
    case .transfer(.headReceived):
      change(event) { $0.isNewConnection = $0.isNewConnection ?? false }
    case .transfer(.connected): change(event) { $0.isNewConnection = true }
    case .cancelled, .step(.letGo):
      waits[event.subject] = nil
      if indices[event.subject] != nil { change(event, Self.end(of: event)) }
    case .callback(let name, let detail): takeCallback(event, name, detail)
    default: break
    }
  }

  /// Events are missing here.
  mutating func lose() {
    (waits, takenWaits) = ([:], [:])
    for index in open { rows[index].isIncomplete = true }
    open = []
  }

  private static func end(of event: ProgramEvent) -> (inout LoadRow) -> Void {
    { row in if row.ended == nil { row.ended = Double(event.instant) / 1e9 } }
  }

  private mutating func takeCallback(_ event: ProgramEvent, _ name: String, _ detail: String) {
    guard event.subject != 0 else { return }
    let wait = takenWaits.removeValue(forKey: event.place.thread.number)
    change(event) { row in
      if row.place.isEmpty { row.place = event.place.words }
      if let wait { row.longestWait = max(row.longestWait, Double(wait) / 1e9) }
      switch event.payload {
      case .bytes(let count): row.bytes = row.bytes.addingReportingOverflow(count).partialValue
      case .progress(_, let total, _) where row.form == nil || name.contains("didWrite"): row.bytes = total
      case .success: Self.end(of: event)(&row)
      case .failure(let domain, let code):
        Self.end(of: event)(&row)
        row.error = "\(domain) \(code)"
      default: break
      }
    }
  }

  private mutating func change(_ event: ProgramEvent, _ change: (inout LoadRow) -> Void) {
    if let index = indices[event.subject] {
      change(&rows[index])
      if rows[index].ended != nil { open.remove(index) }
      return
    }
    guard rows.count < Self.limit else {
      if case .step(.made) = event.kind { unshown += 1 }
      return
    }
    indices[event.subject] = rows.count
    var row = LoadRow(number: event.subject, began: Double(event.instant) / 1e9)
    change(&row)
    if row.ended == nil { open.insert(rows.count) }
    rows.append(row)
  }
}

extension Place {
  /// The place in a few words, such as "main, default" or "queue uploads".
  public var words: String {
    if let queue, queue != "NSOperationQueue Main Queue" {
      return queue.isEmpty || queue.hasPrefix("NSOperationQueue 0x") ? "a queue" : "queue \(queue)"
    }
    let thread = thread.isMain ? "main" : "thread \(thread.number)"
    return runLoopMode.map { "\(thread), \($0.replacing("kCFRunLoopDefaultMode", with: "default"))" } ?? thread
  }
}
