// SPDX-License-Identifier: Apache-2.0

/// One event of the Trace Event format. Times are microseconds.
struct TraceEvent: Encodable {
  /// The arguments that the event carries: texts and numbers by name.
  enum Argument: Encodable {
    case text(String)
    case number(Int)
    case data([String: Argument])

    func encode(to encoder: any Encoder) throws {
      var value = encoder.singleValueContainer()
      switch self {
      case .text(let text): try value.encode(text)
      case .number(let number): try value.encode(number)
      case .data(let data): try value.encode(data)
      }
    }
  }

  /// The kind: `X` slice, `M` name, `C` counter, `i` instant, `b` and `e` asynchronous slice, `s` and `f` flow.
  var ph: String
  var name: String
  var ts: Double
  var pid: Int
  var tid: Int
  /// How long a slice is; nil for any other kind.
  var dur: Double?
  var cat: String?
  var id: String?
  /// How far an instant reaches: `t` its thread, `p` its process.
  var s: String?
  /// `e` binds a flow's end to the slice around it.
  var bp: String?
  var args: [String: Argument]?

  init(_ ph: String, _ name: String, at seconds: Double, pid: Int, tid: Int) {
    (self.ph, self.name, self.pid, self.tid) = (ph, name, pid, tid)
    ts = Self.microseconds(seconds)
  }

  /// Microseconds with three decimals.
  static func microseconds(_ seconds: Double) -> Double { (seconds * 1e9).rounded() / 1000 }

  /// The event with values that Perfetto and Firefox show.
  func with(_ data: [String: Argument]) -> TraceEvent {
    var event = self
    event.args = ["data": .data(data)]
    return event
  }
}
