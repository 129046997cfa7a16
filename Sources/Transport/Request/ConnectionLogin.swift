// SPDX-License-Identifier: Apache-2.0

/// The user that is logged in on a connection, by NTLM: every request on it counts as this user's.
public struct ConnectionLogin: Sendable, Hashable {
  /// The user's name, with a domain as `DOMAIN\\name`.
  public var user: String
  /// The password. libcurl takes each byte of it for a character, so that only ASCII is understood everywhere.
  public var password: String

  /// A login as given.
  public init(user: String, password: String) {
    (self.user, self.password) = (user, password)
  }
}
