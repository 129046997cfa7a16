// SPDX-License-Identifier: Apache-2.0
import Foundation

/// `topics SYMBOLS ARCHIVE`: each public symbol of the symbol graphs below SYMBOLS stands in a topic that a page of the
/// catalogue lists, not in one that DocC makes up. Exit status: 0 each does, 1 one does not, 64 usage.
@main
struct Topics {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      print("usage: topics SYMBOLS ARCHIVE")
      exit(64)
    }
    let symbols = try SymbolGraph.symbols(below: URL(filePath: arguments[1]))
    let pages = try Page.all(below: URL(filePath: arguments[2]).appending(path: "data/documentation"))
    let missing = symbols.filter { !isListed($0, on: pages) }
    for symbol in missing.sorted(by: { $0.name < $1.name }) { print("error: \(symbol.name) is in no topic") }
    guard missing.isEmpty, !symbols.isEmpty else { exit(1) }
    print("topics: \(symbols.count) symbols, each is in one")
  }

  static func isListed(_ symbol: Symbol, on pages: [Page]) -> Bool {
    pages.filter { $0.symbol == symbol.id }.contains { page in pages.contains { $0.listed.contains(page.url) } }
  }
}

/// A public declaration of a module.
struct Symbol {
  let id: String
  let name: String
}

/// What the compiler knows of a module's declarations.
struct SymbolGraph: Decodable {
  struct Entry: Decodable {
    struct Identifier: Decodable { let precise: String }
    struct Kind: Decodable { let identifier: String }
    let identifier: Identifier
    let kind: Kind
    let pathComponents: [String]
  }
  struct Relationship: Decodable {
    let kind: String
    let source: String
  }
  let symbols: [Entry]
  let relationships: [Relationship]

  /// The declarations that a person wrote and a reader looks for: neither default bodies nor what a protocol adds.
  static func symbols(below folder: URL) throws -> [Symbol] {
    try files(below: folder, ending: ".symbols.json").flatMap { file -> [Symbol] in
      let graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file))
      let defaults = Set(graph.relationships.filter { $0.kind == "defaultImplementationOf" }.map(\.source))
      return graph.symbols.compactMap { entry -> Symbol? in
        let id = entry.identifier.precise
        guard !id.contains("::SYNTHESIZED::"), !defaults.contains(id), entry.kind.identifier != "swift.extension"
        else { return nil }
        return Symbol(id: id, name: entry.pathComponents.joined(separator: "."))
      }
    }
  }
}

/// A page of the archive.
struct Page: Decodable {
  struct Identifier: Decodable { let url: String }
  struct Metadata: Decodable { let externalID: String? }
  struct Section: Decodable {
    let generated: Bool?
    let identifiers: [String]
  }
  let identifier: Identifier
  let metadata: Metadata
  let topicSections: [Section]?

  var url: String { identifier.url }
  /// The symbol that the page is about.
  var symbol: String? { metadata.externalID }
  /// The pages that its own topics list.
  var listed: [String] { (topicSections ?? []).filter { $0.generated != true }.flatMap(\.identifiers) }

  static func all(below folder: URL) throws -> [Page] {
    try files(below: folder, ending: ".json").map { try JSONDecoder().decode(Page.self, from: Data(contentsOf: $0)) }
  }
}

/// The files below `folder` whose names end so.
func files(below folder: URL, ending: String) -> [URL] {
  let enumerator = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
  return (enumerator?.compactMap { $0 as? URL } ?? []).filter { $0.lastPathComponent.hasSuffix(ending) }
}
