// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking

@testable import HTTPRules
@testable import URLLoading

// What lies on a disk between two runs.
extension Target {
  /// The file of the shared store of cookies. What passes our look at it, the toolchain reads as the same list, and its
  /// cookies and ours can be made of it.
  static let cookieStore = Target("cookie-store") { bytes in
    guard CookieFile.isStore(bytes) else { return }
    let read = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    guard let cookies = read as? [String: [String: Any]] else {
      return check(false, "a store that the toolchain cannot read")
    }
    for cookie in cookies.values {
      var properties: [HTTPCookiePropertyKey: Any] = [:]
      for (key, value) in cookie { properties[HTTPCookiePropertyKey(key)] = value }
      // As HTTPCookieStorage reads its file.
      if let seconds = cookie["Expires"] {
        properties[.expires] = (seconds as? NSNumber).map { Date(timeIntervalSince1970: $0.doubleValue) }
      }
      _ = HTTPCookie(properties: properties).map { CookieFacts($0) }
    }
  }
}
