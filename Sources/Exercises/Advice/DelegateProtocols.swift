// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// The methods of both libraries' delegates, read from the protocols that the libraries' sources declare. Where a build has no
/// sources beside it none is known, and no advice is given.
struct DelegateProtocols {
  /// All of them.
  static let known = DelegateProtocols(below: LessonText().root.deletingLastPathComponent())
  private static let folders = ["Sources/SessionAPI/Delegates", "Sources/ConnectionAPI"]

  /// The methods; the owner of each is the protocol.
  private(set) var methods: [MethodDeclaration] = []
  private var parents: [String: String] = [:]

  init(below package: URL) {
    for folder in Self.folders.map({ package.appendingPathComponent($0) }) {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for name in names.sorted() where name.hasSuffix("Delegate.swift") {
        let text = (try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)) ?? ""
        // Behind the protocol stands what a delegate without a method does.
        let scanner = MethodScanner(text.components(separatedBy: "\nextension ")[0])
        methods += scanner.methods
        parents.merge(scanner.inherited.compactMapValues(\.first)) { $1 }
      }
    }
  }

  /// Those of these names that are protocols of delegates, and what they stand on.
  func all(from names: some Sequence<String>) -> Set<String> {
    var all: Set<String> = []
    for name in names {
      var next: String? = name
      while let name = next, let parent = parents[name], all.insert(name).inserted { next = parent }
    }
    return all
  }

  /// True if both names belong to the same library.
  static func belongTogether(_ first: String, _ second: String) -> Bool {
    first.hasPrefix("NS") == second.hasPrefix("NS")
  }
}
