// SPDX-License-Identifier: Apache-2.0
import Foundation

/// `table write FILE FOLDER APPLE VERSION`: joins what FOLDER has of both implementations to the table FILE.
/// `table check FILE LIST ANSWERS`: whether each row of ours in FILE still has its probe and its answer.
/// `table doubtful FILE COLUMN ANSWERS`: prints the probes whose answers differ from each other or from what FILE says in
/// COLUMN, which is `ours` or `toolchain`.
/// `table article FILE`: prints the article of the documentation that shows FILE.
/// Exit status: 0 written or as it was, 1 not as it was, 64 usage.
@main
struct Main {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst().map { $0 }
    switch (arguments.first, arguments.count) {
    case ("write", 5): try write(arguments[1], folder: arguments[2], apple: arguments[3], version: arguments[4])
    case ("check", 4): try check(arguments[1], list: arguments[2], answers: arguments[3])
    case ("doubtful", 4): try doubtful(arguments[1], column: arguments[2], answers: arguments[3])
    case ("article", 2): print(Article(table: try table(arguments[1])).text, terminator: "")
    default:
      print(
        "usage: table write FILE FOLDER APPLE VERSION | table check FILE LIST ANSWERS | "
          + "table doubtful FILE COLUMN ANSWERS | table article FILE")
      exit(64)
    }
  }

  static func write(_ file: String, folder: String, apple: String, version: String) throws {
    let (ours, theirs) = (try answers(folder + "/ours.tsv"), try answers(folder + "/toolchain.tsv"))
    let declared = try Declarations(folder: folder + "/symbols-toolchain")
    let ownNames = try Declarations(folder: folder + "/symbols-ours")
    var rows: [Row] = []
    for probe in try probes(folder + "/list") {
      guard let own = ours[probe.id] else { continue }
      let theirs = theirs[probe.id]
      // A probe that is not compiled there is about a member that is not declared there.
      let name = probe.id.split(separator: ".").last.map { "\(probe.feature).\($0)" } ?? ""
      let isLacking = theirs == nil && !declared.has(name)
      rows.append(
        Row(
          probe, ours: Cell(own, probe.wanted, "probe \(probe.id)"),
          toolchain: isLacking
            ? Cell(verdict: "no", answer: "not declared", evidence: "symbol graph of FoundationNetworking")
            : theirs.map { Cell($0, probe.wanted, "probe \(probe.id)") }
              ?? Cell(verdict: "unknown", answer: "", evidence: "")))
    }
    for member in try Member.all(in: String(contentsOfFile: apple, encoding: .utf8)) {
      rows.append(
        Row(
          member.probe, ours: ownNames.cell(member.name, "Scripts/surface"),
          toolchain: declared.cell(member.name, "symbol graph of FoundationNetworking")))
    }
    let table = Table(
      toolchain: "Swift \(version)", measured: Date.now.formatted(.iso8601.year().month().day()), rows: rows)
    try Data(table.text().utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
    print("behaviour: \(rows.count) rows, \(rows.count { $0.ours.verdict == "yes" }) as Apple documents them in ours,")
    print("  \(rows.count { $0.toolchain.verdict == "yes" }) in the toolchain's")
  }

  static func check(_ file: String, list: String, answers path: String) throws {
    let table = try table(file)
    let known = Dictionary(try probes(list).map { ($0.id, $0) }) { $1 }
    let now = try answers(path)
    var faults: [String] = []
    for row in table.rows where row.ours.evidence.hasPrefix("probe ") {
      guard let probe = known[row.id] else {
        faults.append("\(row.id) has lost its probe")
        continue
      }
      faults += row.faults(against: probe, answer: now[row.id]?.last)
    }
    for id in Set(known.keys).subtracting(table.rows.map(\.id)).sorted() { faults.append("\(id) is not in the table") }
    for fault in faults { print("error: \(fault)") }
    guard faults.isEmpty else { exit(1) }
    print("behaviour: \(known.count) rows of ours are as the table says")
  }

  static func doubtful(_ file: String, column: String, answers path: String) throws {
    let rows = try table(file).rows
    let known = Dictionary(rows.map { ($0.id, column == "ours" ? $0.ours.answer : $0.toolchain.answer) }) { $1 }
    for (id, now) in try answers(path).sorted(by: { $0.key < $1.key })
    where Set(now).count > 1 || known[id].map({ $0 != now[0] }) == true { print(id) }
  }

  static func table(_ file: String) throws -> Table {
    try JSONDecoder().decode(Table.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
  }

  /// Each probe's answers, as often as it was asked.
  static func answers(_ path: String) throws -> [String: [String]] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").reduce(into: [:]) { answers, line in
      let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { answers[String(parts[0]), default: []].append(String(parts[1])) }
    }
  }

  static func probes(_ path: String) throws -> [Probe] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
      try JSONDecoder().decode(Probe.self, from: Data($0.utf8))
    }
  }
}

/// What a row is about.
struct Probe: Codable {
  var id, feature, member, rule, source: String
  var wanted: [String]
}

/// What one implementation does.
struct Cell: Codable {
  var verdict, answer, evidence: String

  init(verdict: String, answer: String, evidence: String) {
    (self.verdict, self.answer, self.evidence) = (verdict, answer, evidence)
  }

  /// The cell of a probe that gave these answers. Where they are not the same, it is as ruled if each of them is, and says
  /// how often each came, the most frequent first.
  init(_ answers: [String], _ wanted: [String], _ evidence: String) {
    let counts = Dictionary(grouping: answers) { $0 }.mapValues(\.count)
    let verdict = counts.keys.allSatisfy(wanted.contains) ? "yes" : "differs"
    guard counts.count > 1 else {
      self.init(verdict: verdict, answer: answers.first ?? "", evidence: evidence)
      return
    }
    let parts = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) (\($0.value) of \(answers.count))" }
    self.init(
      verdict: verdict, answer: "varies: " + parts.joined(separator: "; "),
      evidence: "\(evidence), asked \(answers.count) times")
  }
}

struct Row: Codable {
  var id, feature, member, rule, source: String
  var ours, toolchain: Cell

  init(_ probe: Probe, ours: Cell, toolchain: Cell) {
    (id, feature, member) = (probe.id, probe.feature, probe.member)
    (rule, source, self.ours, self.toolchain) = (probe.rule, probe.source, ours, toolchain)
  }

  /// What is not as the row of ours says. Where the rule allows several answers, each of them is.
  func faults(against probe: Probe, answer: String?) -> [String] {
    guard let answer else { return ["\(id) has not answered"] }
    var faults: [String] = []
    if (feature, member, rule, source) != (probe.feature, probe.member, probe.rule, probe.source) {
      faults.append("\(id): its probe asks something else than the table says")
    }
    let isAllowed = ours.verdict == "yes" && probe.wanted.contains(answer)
    if answer != ours.answer, !isAllowed { faults.append("\(id): \(answer), the table says \(ours.answer)") }
    if answer == ours.answer, Cell([answer], probe.wanted, "").verdict != ours.verdict {
      faults.append("\(id): the verdict of \(answer) is another one than the table says")
    }
    return faults
  }
}

struct Table: Codable {
  var format = 1
  /// The version that was measured.
  var toolchain: String
  /// The day, ISO 8601.
  var measured: String
  var rows: [Row]

  /// The table as its file keeps it, a line for each row.
  func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let lines = try rows.map { "    " + String(decoding: try encoder.encode($0), as: UTF8.self) }
    return """
      {
        "format": \(format),
        "measured": "\(measured)",
        "rows": [
      \(lines.joined(separator: ",\n"))
        ],
        "toolchain": "\(toolchain)"
      }

      """
  }
}

/// A member of Apple's, from the list of Scripts/surface.
struct Member {
  var owner, name: String

  static func all(in text: String) -> [Member] {
    var owner = ""
    return text.split(separator: "\n").compactMap { line -> Member? in
      if line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) { return nil }
      guard line.hasPrefix("  ") else {
        owner = line == "(global)" ? "" : String(line)
        return nil
      }
      let isAbsent = line.hasPrefix("  - ")
      let rest = line.dropFirst(isAbsent ? 4 : 2)
      let end = isAbsent ? rest.range(of: ": ")?.lowerBound : rest.range(of: " * ")?.lowerBound
      let member = String(rest[..<(end ?? rest.endIndex)])
      return Member(owner: owner, name: owner.isEmpty ? member : "\(owner).\(member)")
    }
  }

  var probe: Probe {
    let path = name.lowercased().replacingOccurrences(of: ".", with: "/")
    return Probe(
      id: "declared.\(name)", feature: owner.isEmpty ? "constants" : owner,
      member: String(name.dropFirst(owner.isEmpty ? 0 : owner.count + 1)), rule: "Apple declares it.",
      source: "https://developer.apple.com/documentation/foundation/\(path)", wanted: ["declared"])
  }
}

/// The names that an implementation declares and does not mark as unavailable.
struct Declarations {
  private var names: Set<String> = []

  init(folder: String) throws {
    for file in try FileManager.default.contentsOfDirectory(atPath: folder) where file.hasSuffix(".symbols.json") {
      let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file))
      for symbol in try JSONDecoder().decode(Graph.self, from: data).symbols
      where symbol.availability?.contains(where: { $0.isUnconditionallyUnavailable == true }) != true {
        names.insert(symbol.pathComponents.joined(separator: "."))
      }
    }
  }

  func has(_ name: String) -> Bool { names.contains(name) }

  func cell(_ name: String, _ evidence: String) -> Cell {
    has(name)
      ? Cell(verdict: "yes", answer: "declared", evidence: evidence)
      : Cell(verdict: "no", answer: "not declared", evidence: evidence)
  }

  private struct Graph: Decodable {
    struct Symbol: Decodable {
      struct Availability: Decodable { let isUnconditionallyUnavailable: Bool? }
      let pathComponents: [String]
      let availability: [Availability]?
    }
    let symbols: [Symbol]
  }
}
