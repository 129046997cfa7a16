// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonKit

/// The static archive of the workbench's objects that every program is linked with. It is made when the workbench is
/// built, and again when an object has changed since.
struct ProgramArchive {
  let built: BuiltWorkbench
  let tools: Toolchain

  private var list: URL { built.archive.appendingPathExtension("list") }

  /// Makes the archive unless there is one of exactly these objects, and answers what tells this build from another:
  /// the stamps of the objects. The archive's own would not do, for two processes may make it at the same time.
  ///
  /// - Throws: `LessonKitError` with code `environment` when it cannot be made; `CancellationError`.
  func prepare() async throws -> String {
    let objects = built.objects
    let stamps = objects.compactMap { FileStamp($0)?.description }.joined(separator: "\n")
    if FileStamp(built.archive.path) != nil, (try? String(contentsOf: list, encoding: .utf8)) == stamps {
      return stamps
    }
    let fresh = built.archive.path + ".\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: fresh) }
    let run = try await ToolRun(tools.archiver, ["qcs", fresh] + objects)
    guard run.succeeded else { throw cannotMake(run.output) }
    do {
      // In this order: an archive without its list is made again, a list without its archive would deceive.
      try? FileManager.default.removeItem(at: list)
      guard rename(fresh, built.archive.path) == 0 else { throw cannotMake(String(cString: strerror(errno))) }
      try Data(stamps.utf8).write(to: list, options: .atomic)
      return stamps
    } catch let error as LessonKitError {
      throw error
    } catch {
      throw cannotMake("\(error.localizedDescription)")
    }
  }

  private func cannotMake(_ why: String) -> LessonKitError {
    LessonKitError(
      .environment,
      "The archive \(built.archive.path) could not be made: \(why.trimmingCharacters(in: .whitespacesAndNewlines)). "
        + "Free some space there, or make the folder writable for this user, and build again with Scripts/workbench.")
  }
}
