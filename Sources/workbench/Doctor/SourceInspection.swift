// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// Looks whether every phrase that the sources of the commands and the reports say has a translation, and whether each
/// translation in the files for them is of a phrase that they say.
struct SourceInspection {
  /// The folders whose sources say phrases, below the package's.
  private static let folders = ["LessonKit", "Exercises", "Reports", "workbench"].map { "Sources/\($0)" } + ["Lessons"]
  /// The files with translations of what these say.
  private static let files = ["commands", "exercises"]

  /// The folder of the lessons; the sources lie in the folder above it.
  let root: URL

  /// Everything that is not in order, with file and line; nothing where the sources are not there.
  func faults(in language: Language) -> [FileFault] {
    guard language != .english, let translations = try? catalogue(of: language) else { return [] }
    let sources = sources()
    guard !sources.isEmpty else { return [] }
    let said = Self.folders.flatMap { folder in
      let takers = takers(in: folder, of: sources)
      return sources.filter { $0.folder == folder }.map { source in
        (file: source.file, phrases: source.tokens.flatMap { PhraseReader.phrases(in: $0, takers) })
      }
    }
    return missing(said.filter { $0.file.hasPrefix("Sources/") }, Set(translations.flatMap { $0.entries.map(\.key) }))
      + strays(in: translations, said.flatMap(\.phrases).map(\.key) + sources.flatMap(\.literals))
  }

  /// What the modules below a folder and its own declare: LessonKit sees itself alone, the commands see everything.
  private func takers(in folder: String, of sources: [Source]) -> PhraseTakers {
    let visible = folder == "Sources/workbench" ? Self.folders : ["Sources/LessonKit", folder]
    var takers = PhraseTakers()
    for source in sources where visible.contains(source.folder) {
      for tokens in source.tokens.prefix(1) { takers.add(tokens) }
    }
    return takers
  }

  private func missing(
    _ said: [(file: String, phrases: [PhraseReader.Found])], _ known: Set<String>
  ) -> [FileFault] {
    said.flatMap { file, phrases in
      phrases.filter { Phrase(key: $0.key).needsTranslation && !known.contains($0.key) }.map {
        FileFault(file: file, line: $0.line, sentence: "“\($0.key)” has no translation")
      }
    }
  }

  private func strays(in translations: [CatalogueFile], _ said: [String]) -> [FileFault] {
    let said = Set(said)
    return translations.filter { file in Self.files.contains { file.file.hasSuffix("/\($0).yml") } }.flatMap { file in
      file.entries.filter { !said.contains($0.key) }.map {
        FileFault(file: file.file, line: $0.line, sentence: "nothing says “\($0.key)”")
      }
    }
  }

  // MARK: - Files

  private struct Source {
    var folder: String
    var file: String
    /// Those of the code, and behind them those of each value within a literal.
    var tokens: [[SwiftTokens.Token]]

    /// The keys of all literals, those added to one another as one.
    var literals: [String] { tokens.flatMap(Self.literals) }

    private static func literals(_ tokens: [SwiftTokens.Token]) -> [String] {
      var keys: [String] = []
      for place in tokens.indices {
        guard case .text(let key) = tokens[place].kind else { continue }
        let isAdded = place > 1 && tokens[place - 1].kind == .sign("+")
        if isAdded, case .text = tokens[place - 2].kind { keys[keys.count - 1] += key } else { keys.append(key) }
      }
      return keys
    }
  }

  private func catalogue(of language: Language) throws(LessonKitError) -> [CatalogueFile] {
    var files: [CatalogueFile] = []
    for file in try StringCatalogue.files(of: language, root: root) {
      files.append(try CatalogueFile(file, root: root))
    }
    return files
  }

  private func sources() -> [Source] {
    let package = root.deletingLastPathComponent()
    return Self.folders.flatMap { folder -> [Source] in
      let names = FileManager.default.enumerator(atPath: package.appendingPathComponent(folder).path)
      let files = names?.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") } ?? []
      return files.sorted().compactMap { name in
        let file = "\(folder)/\(name)"
        guard let text = try? String(contentsOf: package.appendingPathComponent(file), encoding: .utf8) else {
          return nil
        }
        let tokens = SwiftTokens(text)
        return Source(folder: folder, file: file, tokens: [tokens.all] + tokens.values)
      }
    }
  }
}
