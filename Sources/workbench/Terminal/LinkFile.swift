// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// A file that leads a browser to an address which no other user of this machine may read.
///
/// Problem: the address holds the server's token, and every user of the machine reads the arguments of the process that opens
/// it. Choice: that process gets the path of this file, which only its owner can read. The file lies in the current folder
/// where it can, since a browser in a sandbox reads the person's own folders and no folder for temporary files.
struct LinkFile {
  private static let name = "/workbench.html"

  /// The folder of its own around it.
  private let folder: String

  /// The path to hand to a browser.
  var path: String { folder + Self.name }

  /// Writes it into the first of these folders that takes it; nil where none does.
  init?(leadingTo address: String, in parents: [String]) {
    for parent in parents {
      // A folder made by mkdtemp has mode 0700.
      var template = Array((parent + "/workbench-open-XXXXXX").utf8CString)
      guard let made = mkdtemp(&template).map({ String(cString: $0) }) else { continue }
      if Self.write(Self.page(address), to: made + Self.name) {
        folder = made
        return
      }
      Self.remove(made)
    }
    return nil
  }

  /// Removes it.
  func remove() { Self.remove(folder) }

  private static func remove(_ folder: String) {
    unlink(folder + name)
    rmdir(folder)
  }

  private static func write(_ text: String, to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    return Glibc.write(descriptor, bytes, bytes.count) == bytes.count
  }

  private static func page(_ address: String) -> String {
    """
    <!doctype html><html lang="en"><meta charset="utf-8"><title>workbench</title>
    <meta http-equiv="refresh" content="0;url=\(address)"><meta name="referrer" content="no-referrer">
    <p><a href="\(address)">workbench serve</a></p></html>

    """
  }
}
