// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc

/// Where this program's responses lie, and where those of 0.1.0 lie.
enum CachePlace {
  private static let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first

  /// The program's own folder below the user's caches; nil where the system names none.
  static let own: URL? = caches.map { URL(fileURLWithPath: $0.path + "/" + CookiePlace.program + "/responses") }

  /// Removes the files that version 0.1.0 stored through the toolchain, in a folder named after the process: this version does not
  /// read them.
  static func removeEarlier() {
    if let caches { removeEarlier(in: caches.path + "/" + ProcessInfo.processInfo.processName) }
  }

  /// 0.1.0 gave each of its files a digest as an attribute (xattr(7)); files without one are the toolchain's and stay. May block.
  static func removeEarlier(in folder: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where name.hasSuffix(".storedcachedurlresponse") {
      let path = folder + "/" + name
      if unsafe getxattr(path, "user.workbench.digest", nil, 0) > 0 { unsafe unlink(path) }
    }
  }
}
