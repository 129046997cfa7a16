// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// The folder for bodies on their way to a program: of this user alone (mode 0700).
///
/// The system's folder for temporary files is mostly one that all users write to and can list. Where it is, the folder
/// lies within under the same name for each of the user's processes, since resume data names a file that another process
/// may have written. Another user may have taken that name before, so whose folder it is counts, and not its name.
package enum PrivateFolder {
  /// The folder, made where it is missing: programs that clear temporary files may remove it at any time. May block.
  package static var url: URL { url(in: FileManager.default.temporaryDirectory, otherwise: { ownFolder }) }

  /// The same within another folder for temporary files. `otherwise` makes one where the usual one is not this user's.
  static func url(in temporary: URL, otherwise: () -> String?) -> URL {
    if isPrivate(temporary.path) { return temporary }
    let usual = temporary.appendingPathComponent("workbench-\(geteuid())")
    unsafe mkdir(usual.path, 0o700)
    if isPrivate(usual.path) { return usual }
    return otherwise().map { URL(fileURLWithPath: $0) } ?? usual
  }

  /// True if it is a folder and no link, and gives rights to this user alone.
  static func isPrivate(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
      && status.st_mode & 0o077 == 0
  }

  /// A folder of this process alone; no path where none can be made.
  private static let ownFolder: String? = {
    var template = Array((FileManager.default.temporaryDirectory.path + "/workbench-XXXXXX").utf8CString)
    guard unsafe mkdtemp(&template) != nil else { return nil }
    return unsafe template.withUnsafeBufferPointer { unsafe $0.baseAddress.map { unsafe String(cString: $0) } }
  }()
}
