// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking

/// The storages of a process that have files.
enum SharedCookies {
  private static let known = Locked<[String: HTTPCookieStorage]>([:])

  /// The program's own.
  static let own: HTTPCookieStorage = {
    guard let place = CookiePlace.current else { return HTTPCookieStorage() }
    return storage(at: place, takingOver: true)
  }()

  /// That of a group; in memory where the system names no folder for data.
  static func group(_ identifier: String) -> HTTPCookieStorage {
    known.withLock { known in
      if let storage = known[identifier] { return storage }
      let made = CookiePlace.current.map { storage(at: $0.group(identifier), takingOver: false) } ?? HTTPCookieStorage()
      known[identifier] = made
      return made
    }
  }

  private static func storage(at place: CookiePlace, takingOver: Bool) -> HTTPCookieStorage {
    let store = CookieStore {
      place.makeFolders()
      LeftoverFiles.remove(in: place.ownFolder)
      if takingOver { EarlierCookies.takeOver(at: place) }
      return place.file
    }
    return HTTPCookieStorage(store)
  }
}
