// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc

/// How a program that ended can be started again: by what file, with which arguments, in which folder.
package struct LaunchRecord: Codable, Equatable, Sendable {
  package var path: String
  /// The device, which with the inode's number distinguishes the file from another in its place.
  package var device: UInt64
  package var number: UInt64
  package var arguments: [String]
  package var folder: String

  /// A program whose file lies at `path`, and is the one that can be looked at as `file`; nil where there is none.
  package init?(file: String, path: String, arguments: [String], folder: String) {
    var status = stat()
    guard unsafe stat(file, &status) == 0 else { return nil }
    (self.path, device, number) = (path, UInt64(status.st_dev), UInt64(status.st_ino))
    (self.arguments, self.folder) = (arguments, folder)
  }

  /// This process; nil where the kernel does not name its file.
  package static var current: LaunchRecord? {
    let link = "/proc/self/exe"
    guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else { return nil }
    let folder = FileManager.default.currentDirectoryPath
    return LaunchRecord(file: link, path: path, arguments: CommandLine.arguments, folder: folder)
  }

  /// Why the program is not to be started, in a sentence; nil where it can be.
  ///
  /// It must be the file that asked for it, of this user or installed by root, and give no other user's rights: what a journal
  /// says is believed as far as the user could have started the program as well.
  package var objection: String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return "'\(path)' cannot be found: \(systemReason())." }
    guard status.st_mode & S_IFMT == S_IFREG, UInt64(status.st_dev) == device, UInt64(status.st_ino) == number else {
      return "'\(path)' is another file than the program that asked for it."
    }
    if let objection = ProgramFile.objection(to: status, at: path, owners: [geteuid(), 0]) { return objection }
    guard !arguments.isEmpty, unsafe access(path, X_OK) == 0 else { return "'\(path)' cannot be executed." }
    return nil
  }

  /// Starts the program, in a session of its own and as no child of this process, with this process's environment and
  /// nothing of its descriptors. `mask` is the program's umask(2).
  /// - Throws: why it could not be started.
  package func start(mask: UInt32) throws(TransferFault) {
    if let objection { throw TransferFault(objection) }
    var words: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) } + [nil]
    let result = unsafe workbench_start_again(path, &words, folder, mask)
    for index in unsafe words.indices { unsafe free(words[index]) }
    guard result == 0 else {
      throw TransferFault("'\(path)' cannot be started in '\(folder)': \(unsafe String(cString: strerror(result))).")
    }
  }
}
