// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc

/// Where this program's responses lie, and where those of 0.1.0 lie.
enum CachePlace {
  private static let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first

  /// The program's own folder below the user's caches; nil where the system names none.
  static let own: URL? = caches.map { URL(fileURLWithPath: $0.path + "/" + CookiePlace.program + "/responses") }

  /// Removes what 0.1.0 let the toolchain store, in a folder that is named after the process: nobody finds it any more. Each file
  /// of ours bears a digest there (xattr(7)); what else the toolchain stored stays. May block.
  static func removeEarlier() {
    guard let folder = caches.map({ $0.path + "/" + ProcessInfo.processInfo.processName }) else { return }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where name.hasSuffix(".storedcachedurlresponse") {
      let path = folder + "/" + name
      if unsafe getxattr(path, "user.workbench.digest", nil, 0) > 0 { unsafe unlink(path) }
    }
  }
}
