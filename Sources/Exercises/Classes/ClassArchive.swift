// SPDX-License-Identifier: Apache-2.0
public import Foundation
import LessonKit

/// The zip archive in which a platform gives a teacher the hand-ins of a class, unpacked as long as this is in use.
public struct ClassArchive: Sendable {
  /// The folder with the hand-ins.
  public let folder: URL
  private let home: TemporaryFolder

  /// Unpacks the archive at a path; nil where there is no file with an archive's name.
  ///
  /// - Throws: `LessonKitError` with code `unreadable` when it stays closed, `environment` when it cannot be opened on this
  ///   machine; `CancellationError`.
  public init?(_ path: String) async throws {
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    let values = try? file.resourceValues(forKeys: [.isRegularFileKey])
    guard values?.isRegularFile == true, file.pathExtension.lowercased() == "zip" else { return nil }
    home = try TemporaryFolder()
    let whole = try home.makeFolder("0")
    switch try await HandInArchive.open(file, into: whole, .platform) {
    case .opened: folder = Self.within(whole)
    case .refused(let why):
      throw LessonKitError(
        .unreadable, "\(why). Download it again, or unpack it and name the folder with the hand-ins of the class.")
    }
  }

  /// Gradescope puts all submissions into one folder.
  private static func within(_ folder: URL) -> URL {
    guard let entries = ByteEntry.list(Array(folder.path.utf8)), entries.count == 1, let name = entries[0].text,
      name.wholeMatch(of: #/assignment_[0-9]+_export/#) != nil, entries[0].kind == .folder
    else { return folder }
    return folder.appendingPathComponent(name)
  }
}
