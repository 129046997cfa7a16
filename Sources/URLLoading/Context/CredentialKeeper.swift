// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking

/// The credential storage of a context, asked on a queue of its own: it may be a subclass of the user's, and it notifies
/// observers of changes on the thread that makes them, none of which may hold up the I/O thread.
final class CredentialKeeper: Sendable {
  private let storage: URLCredentialStorage
  private static let queue = DispatchQueue(label: "url-credentials")

  init(_ storage: URLCredentialStorage) {
    self.storage = storage
  }

  /// Looks for the credential to propose in `space` and passes it on.
  func find(_ space: ChallengeSpace, _ found: @escaping @Sendable (URLCredential?) -> Void) {
    Self.queue.async { [storage] in
      found(Self.spaces(like: space, in: storage).lazy.compactMap { Self.proposal(of: $0, in: storage) }.first)
    }
  }

  /// Keeps `credential` for `space`.
  func save(_ credential: URLCredential, for space: ChallengeSpace) {
    Self.queue.async { [storage] in
      storage.set(credential, for: Self.spaces(like: space, in: storage).first ?? space.makeProtectionSpace())
    }
  }

  /// Removes all credentials; `then` is called on a queue.
  func empty(then: @escaping @Sendable () -> Void) {
    Self.queue.async { [storage] in
      for (space, credentials) in storage.allCredentials {
        for credential in credentials.values { storage.remove(credential, for: space) }
      }
      then()
    }
  }

  /// The toolchain's spaces are equal only to themselves, so they are searched by their fields.
  private static func spaces(like space: ChallengeSpace, in storage: URLCredentialStorage) -> [URLProtectionSpace] {
    storage.allCredentials.keys.filter { space.matches($0) }
  }

  private static func proposal(of space: URLProtectionSpace, in storage: URLCredentialStorage) -> URLCredential? {
    storage.defaultCredential(for: space) ?? storage.credentials(for: space)?.min { $0.key < $1.key }?.value
  }
}
