// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The room on the disk of a folder, against what examples write there.
struct DiskSpace: Sendable, Hashable {
  /// The bytes that a run writes beside the examples' products: logs, authorities, what a store keeps.
  private static let margin = 16 << 20

  /// The folder for temporary files, which a person can choose another one for.
  var folder: String
  /// Bytes that are needed there.
  var needed: Int
  /// Bytes that may still be written there; nil where the system does not say.
  var free: Int?

  /// The room for the products of these examples, of which `jobs` run at the same time: each one's files go when it ends.
  init(in folder: String, for examples: [Example], bodyBytes: Int, jobs: Int = 1) {
    let sizes = examples.map { $0.fileBytes(bodyBytes: $0.circumstances.bodyBytes ?? bodyBytes) }
    let largest = sizes.sorted(by: >).prefix(max(1, jobs)).reduce(0, +)
    self.init(
      folder: FileManager.default.temporaryDirectory.path, needed: largest == 0 ? 0 : largest + Self.margin,
      free: Self.free(in: folder))
  }

  /// Room as given.
  init(folder: String, needed: Int, free: Int?) {
    (self.folder, self.needed, self.free) = (folder, needed, free)
  }

  /// True if less is there than is needed.
  var isShort: Bool { free.map { $0 < needed } ?? false }

  /// The sentence about the space that is needed and the space that is there.
  var sentence: Phrase {
    "its files need \(Self.words(needed)) in \(folder), and \(Self.words(free ?? 0)) are free there"
  }

  /// Stops a run that would fill the disk.
  ///
  /// - Throws: `LessonKitError` with code `environment` where less is there than is needed; the text says what helps.
  func require() throws(LessonKitError) {
    guard isShort else { return }
    throw LessonKitError(
      .environment,
      "The examples’ files need \(Self.words(needed)) in \(folder), and \(Self.words(free ?? 0)) are free there. Free some space, set TMPDIR to a folder on another disk, or choose a smaller --size."
    )
  }

  private static func free(in folder: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
    return (attributes?[.systemFreeSize] as? NSNumber)?.intValue
  }

  private static func words(_ bytes: Int) -> String { String(format: "%.0f\u{A0}MiB", Double(bytes) / 1_048_576) }
}

extension Example {
  /// How large the file is that it makes, 0 where its product is none.
  fileprivate func fileBytes(bodyBytes: Int) -> Int {
    guard case .file(_, let content) = product else { return 0 }
    return switch content {
    case .body, .secondVersion: Int(ExampleAddress(resource, bodyBytes: bodyBytes, seed: 0, port: 0).size ?? 0)
    case .seeded(_, let bytes): bytes
    case .seededShare(_, let divisor): max(1, bodyBytes / divisor)
    case .text(let text): text.utf8.count
    case .repeated(let text, let times): text.utf8.count * times
    }
  }
}
