// SPDX-License-Identifier: Apache-2.0
import Foundation

/// `surface LIST SYMBOLS EXPORTS`: each member that LIST names stands in the symbol graphs in the folder SYMBOLS, or LIST
/// says in a sentence why not. Counted are our modules; of FoundationNetworking the names that the source file EXPORTS
/// re-exports and no module of ours declares; of Foundation the global names and `URLError`. Exit status: 0 so it is, 1 it
/// is not, 64 usage.
@main
struct Surface {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4 else {
      print("usage: surface LIST SYMBOLS EXPORTS")
      exit(64)
    }
    let wanted = try Member.all(in: String(contentsOfFile: arguments[1], encoding: .utf8))
    let exports = try String(contentsOfFile: arguments[3], encoding: .utf8)
    let names = exports.split(separator: "\n")
      .compactMap { $0.components(separatedBy: " FoundationNetworking.").dropFirst().last }
    let declared = try declarations(in: URL(filePath: arguments[2]), exported: Set(names))
    let faults = wanted.compactMap { $0.fault(declared) }
    for fault in faults { print("error: \(fault)") }
    guard faults.isEmpty, !wanted.isEmpty else { exit(1) }
    let absent = wanted.count { $0.reason != nil }
    print("surface: \(wanted.count) members of Apple's, \(absent) absent, each with a sentence")
  }

  /// How often each name is declared, with its owners' before it.
  static func declarations(in folder: URL, exported: Set<String>) throws -> [String: Int] {
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.lastPathComponent.hasSuffix(".symbols.json") }
    let graphs = try files.map { file in
      let module = file.lastPathComponent.prefix { $0 != "." && $0 != "@" }
      return (String(module), try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file)))
    }
    // What SessionAPI declares itself is no class of the toolchain's there.
    let own = graphs.filter { $0.0 == "SessionAPI" }.flatMap(\.1.symbols)
      .filter { $0.pathComponents.count == 1 }
      .filter { !["swift.typealias", "swift.extension"].contains($0.kind.identifier) }.map { $0.pathComponents[0] }
    let shown = exported.subtracting(own).union(["NSNotification"])
    // Types of the toolchain's that stand within ours.
    let within = Set(
      graphs.filter { $0.0 == "URLLoading" }.flatMap(\.1.symbols).filter { $0.kind.identifier == "swift.typealias" }
        .map { $0.pathComponents.joined(separator: ".") })
    return graphs.reduce(into: [:]) { counts, graph in
      let (module, graph) = graph
      // A protocol's default body has the name of what it is the default of.
      let defaults = Set(graph.relationships.filter { $0.kind == "defaultImplementationOf" }.map(\.source))
      for symbol in graph.symbols where !defaults.contains(symbol.identifier.precise) {
        let first = symbol.pathComponents[0]
        switch module {
        case "FoundationNetworking":
          let owner = symbol.pathComponents.dropLast().joined(separator: ".")
          if !shown.contains(first), !within.contains(owner) { continue }
        case "Foundation": if symbol.pathComponents.count > 1, first != "URLError" { continue }
        default: break
        }
        counts[symbol.pathComponents.joined(separator: "."), default: 0] += 1
      }
    }
  }
}

/// A line of the list.
struct Member {
  let name: String
  /// How many declarations of this name there are.
  var count = 1
  /// Why there is none here.
  var reason: String?

  /// Reads the list: an owner at a line's beginning, its members below it by two spaces, each with `* 2` behind it where there
  /// are two of that name. A dash marks an absent member; a colon and the reason follow. `(global)` holds the members
  /// without an owner; `#` begins a comment.
  static func all(in text: String) -> [Member] {
    var owner = ""
    return text.split(separator: "\n").compactMap { line -> Member? in
      if line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) { return nil }
      guard line.hasPrefix("  ") else {
        owner = line == "(global)" ? "" : "\(line)."
        return nil
      }
      return Member(line.dropFirst(2), of: owner)
    }
  }

  private init(_ line: Substring, of owner: String) {
    if line.hasPrefix("- ") {
      let end = line.range(of: ": ")
      name = owner + line[line.index(line.startIndex, offsetBy: 2)..<(end?.lowerBound ?? line.endIndex)]
      reason = end.map { String(line[$0.upperBound...]) } ?? ""
      return
    }
    let parts = line.components(separatedBy: " * ")
    name = owner + parts[0]
    count = parts.count == 2 ? Int(parts[1]) ?? 1 : 1
  }

  /// What does not agree with the declarations, as a sentence.
  func fault(_ declared: [String: Int]) -> String? {
    let found = declared[name] ?? 0
    if let reason {
      if reason.isEmpty { return "\(name) is said to be absent, without a sentence" }
      return found > 0 ? "\(name) is here, though a sentence says that it is not" : nil
    }
    guard found < count else { return nil }
    return found == 0
      ? "\(name) is absent, without a sentence" : "\(name) is declared \(found) times, not \(count) as by Apple"
  }
}

/// What the compiler knows of a module's declarations.
struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable { let precise: String }
    struct Kind: Decodable { let identifier: String }
    let kind: Kind
    let identifier: Identifier
    let pathComponents: [String]
  }
  struct Relationship: Decodable {
    let kind: String
    let source: String
  }
  let symbols: [Symbol]
  let relationships: [Relationship]
}
