// SPDX-License-Identifier: Apache-2.0
import Foundation
import SessionAPI

/// One question about the behaviour of an API, asked of two implementations by the same code.
struct Probe {
  /// Its name, which the row bears as its evidence.
  var id: String
  /// What it belongs to, such as `URLSessionConfiguration`.
  var feature: String
  /// The member or the behaviour.
  var member: String
  /// Apple's rule, in a sentence.
  var rule: String
  /// Where the rule stands.
  var source: String
  /// The answers that the rule allows; none where the rule names no value.
  var wanted: [String]
  /// Asks, on a thread that may wait.
  var ask: () -> String
}

/// All probes, in the order of the table.
final class Probes {
  private(set) var all: [Probe] = []

  /// Adds one.
  func add(
    _ id: String, _ feature: String, _ member: String, rule: String, source: String, wants wanted: String...,
    ask: @escaping () -> String
  ) {
    all.append(
      Probe(id: id, feature: feature, member: member, rule: rule, source: source, wanted: wanted, ask: ask))
  }

  /// Adds one of a family.
  func add(_ probe: Probe) { all.append(probe) }
}

/// A page of Apple's documentation.
func page(_ path: String) -> String { "https://developer.apple.com/documentation/foundation/\(path.lowercased())" }

/// `probes list` prints what each probe asks, a line of JSON each; `probes ask ID` prints the answer of one.
@main
struct Main {
  struct Description: Encodable {
    var id, feature, member, rule, source: String
    var wanted: [String]
  }

  static func main() throws {
    let probes = Probes()
    addConfiguration(to: probes)
    addSession(to: probes)
    addTask(to: probes)
    addRequests(to: probes)
    addRedirects(to: probes)
    addErrors(to: probes)
    addOrders(to: probes)
    addFaults(to: probes)
    addAnswers(to: probes)
    addConnections(to: probes)
    let arguments = CommandLine.arguments
    switch (arguments.dropFirst().first, arguments.dropFirst(2).first) {
    case ("list", _):
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      for probe in probes.all {
        let text = Description(
          id: probe.id, feature: probe.feature, member: probe.member, rule: probe.rule, source: probe.source,
          wanted: probe.wanted)
        print(String(decoding: try encoder.encode(text), as: UTF8.self))
      }
    case ("ask", let id?):
      guard let probe = probes.all.first(where: { $0.id == id }) else { exit(64) }
      print(probe.ask().replacingOccurrences(of: "\n", with: " "))
    default:
      exit(64)
    }
    fflush(nil)
    // A load may be under way still, which what runs at exit would wait for.
    _exit(0)
  }
}
