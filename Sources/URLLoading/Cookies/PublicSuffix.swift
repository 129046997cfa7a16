// SPDX-License-Identifier: Apache-2.0
import CLinux
import Synchronization

/// Domains under which strangers register names, such as `com` and `co.uk`: a cookie for one of them would go to all of
/// them.
///
/// The list is that of libpsl, with which nearly every libcurl is built; it is looked up at run time, because nothing
/// else here needs it. Where it is missing, only names of a single label count as public.
package enum PublicSuffix {
  /// True if there is a list.
  package static let hasList = {
    defer { loaded.store(true, ordering: .releasing) }
    return unsafe workbench_is_public_suffix("com") >= 0
  }()

  private static let loaded = Atomic(false)

  /// True if the list was loaded, so that no question waits for a disk.
  static var isLoaded: Bool { loaded.load(ordering: .acquiring) }

  /// True if `domain`, lower-case and without a leading dot, is public.
  package static func isPublic(_ domain: String) -> Bool {
    guard domain.utf8.contains(0x2E) else { return true }
    return unsafe hasList && domain.utf8.count <= 253 && workbench_is_public_suffix(domain) == 1
  }
}
