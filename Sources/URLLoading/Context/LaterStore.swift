// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking

/// A store that is made, or looked up, at its first use: the process's storage of cookies makes its folder in the user's home as it
/// begins. Copies of a configuration share one.
final class LaterStore<Store: AnyObject & Sendable>: Sendable {
  private let make: @Sendable () -> Store?
  private let made = Locked<Store?>(nil)

  init(_ make: @escaping @Sendable () -> Store?) {
    self.make = make
  }

  convenience init(_ store: Store) {
    self.init { store }
  }

  /// The store, always the same one. The first call may block.
  var store: Store? {
    if let known = made.withLock({ $0 }) { return known }
    let new = make()
    return made.withLock { known in
      if known == nil { known = new }
      return known
    }
  }
}

extension LoadConfiguration {
  /// Where cookies are kept; nil for neither sending nor keeping any.
  package var cookieStorage: HTTPCookieStorage? {
    get { laterCookies?.store }
    set { laterCookies = newValue.map { LaterStore($0) } }
  }

  /// Uses the process's stores of cookies and responses.
  package mutating func useSharedStores() {
    laterCookies = LaterStore { .shared }
    cache = .shared
  }

  /// Uses stores of its own, in memory.
  package mutating func usePrivateStores() {
    cookieStorage = HTTPCookieStorage()
    cache = URLCache(memoryCapacity: 4 << 20, diskCapacity: 0, diskPath: nil)
  }
}
