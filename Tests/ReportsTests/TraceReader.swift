// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A strict reader of Trace Event JSON, for tests: it knows the format's rules and nothing of what writes it.
struct TraceReader {
  struct Event {
    var object: [String: Any]

    var ph: String { object["ph"] as? String ?? "" }
    var name: String { object["name"] as? String ?? "" }
    var ts: Double { (object["ts"] as? NSNumber)?.doubleValue ?? .nan }
    var dur: Double { (object["dur"] as? NSNumber)?.doubleValue ?? .nan }
    var pid: Int { object["pid"] as? Int ?? -1 }
    var tid: Int { object["tid"] as? Int ?? -1 }
    var args: [String: Any] { object["args"] as? [String: Any] ?? [:] }
    /// What the two ends of an asynchronous slice or of a flow have in common.
    var key: String { "\(pid) \(object["cat"] as? String ?? "?") \(object["id"] as? String ?? "?") \(name)" }
  }

  private(set) var events: [Event] = []
  /// Every rule that is broken, in words.
  private(set) var faults: [String] = []

  init(_ text: String) throws {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    guard let object = value as? [String: Any], let list = object["traceEvents"] as? [[String: Any]] else {
      faults = ["no object with traceEvents"]
      return
    }
    if object["displayTimeUnit"] != nil { faults.append("displayTimeUnit is there") }
    events = list.map(Event.init)
    checkEach()
    checkThreads()
    checkPairs("b", "e")
    checkPairs("s", "f")
    checkFlows()
  }

  private mutating func note(_ fault: String, unless holds: Bool) {
    if !holds { faults.append(fault) }
  }

  private mutating func checkEach() {
    for event in events {
      let what = "\(event.ph) “\(event.name)” at \(event.ts)"
      note("\(what): unknown kind", unless: ["X", "M", "C", "i", "b", "e", "s", "f"].contains(event.ph))
      note("\(what): no time, process or thread", unless: event.ts >= 0 && event.pid >= 0 && event.tid >= 0)
      switch event.ph {
      case "X": note("\(what): no duration", unless: event.dur >= 0)
      case "M":
        note("\(what): unknown name", unless: ["process_name", "thread_name"].contains(event.name))
        note("\(what): names nothing", unless: (event.args["name"] as? String)?.isEmpty == false)
      case "C":
        note("\(what): no number", unless: !event.args.isEmpty && event.args.values.allSatisfy { $0 is NSNumber })
      case "i": note("\(what): no reach", unless: ["g", "p", "t"].contains(event.object["s"] as? String ?? ""))
      default: note("\(what): no cat or id", unless: event.object["cat"] is String && event.object["id"] is String)
      }
      if event.ph != "M", event.ph != "C" {
        note("\(what): Firefox shows only args.data", unless: event.args.keys.allSatisfy { $0 == "data" })
      }
    }
  }

  /// A thread's id belongs to one process and has a name; its slices nest.
  private mutating func checkThreads() {
    let named = Set(events.filter { $0.name == "thread_name" }.map(\.tid))
    for (tid, events) in Dictionary(grouping: events, by: \.tid) {
      note("thread \(tid) is in several processes", unless: Set(events.map(\.pid)).count == 1)
      note("thread \(tid) has no name", unless: named.contains(tid))
      var open: [Double] = []
      for slice in events.filter({ $0.ph == "X" }).sorted(by: { ($0.ts, $1.dur) < ($1.ts, $0.dur) }) {
        while let end = open.last, end <= slice.ts { open.removeLast() }
        note(
          "slices of thread \(tid) overlap at \(slice.ts)", unless: open.last.map { slice.ts + slice.dur <= $0 } ?? true
        )
        open.append(slice.ts + slice.dur)
      }
    }
  }

  /// Each end has one beginning before it, and each beginning is the only one of its id.
  private mutating func checkPairs(_ first: String, _ second: String) {
    let began = Dictionary(grouping: events.filter { $0.ph == first }, by: \.key)
    for (key, events) in began { note("\(first) \(key) comes twice", unless: events.count == 1) }
    for event in events where event.ph == second {
      note("\(second) \(event.key) has no beginning", unless: began[event.key]?.contains { $0.ts <= event.ts } ?? false)
    }
  }

  /// Each end of a flow lies on a slice of its thread.
  private mutating func checkFlows() {
    let slices = Dictionary(grouping: events.filter { $0.ph == "X" }, by: \.tid)
    for event in events where event.ph == "s" || event.ph == "f" {
      let lies = slices[event.tid]?.contains { $0.ts <= event.ts && event.ts <= $0.ts + $0.dur } ?? false
      note("flow \(event.key) hangs in the air", unless: lies)
    }
  }
}
