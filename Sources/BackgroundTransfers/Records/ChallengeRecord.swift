// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A challenge that a task's load met, as the agent puts it to the client.
package struct ChallengeRecord: Codable, Equatable, Sendable {
  /// The key that distinguishes it from earlier challenges.
  package var key: UUID
  package var host: String
  package var port: Int
  /// "http" or "https"; nil where the protection space has none.
  package var scheme: String?
  package var realm: String?
  /// One of the `NSURLAuthenticationMethod` names.
  package var method: String
  /// True if a proxy asks.
  package var isProxy: Bool
  /// The credential that default handling would use.
  package var proposed: CredentialRecord?
  /// How often a credential was refused.
  package var failures: Int
  package var response: ResponseRecord?
  /// The certificates of a server whose trust is in question, in DER, its own first; nil where a credential is wanted.
  package var certificates: [Data]?

  package init(key: UUID, host: String, port: Int, scheme: String?, realm: String?, method: String, isProxy: Bool) {
    (self.key, self.host, self.port, self.scheme) = (key, host, port, scheme)
    (self.realm, self.method, self.isProxy, failures) = (realm, method, isProxy, 0)
  }
}

/// A name and a password. It travels over the socket and stays in memory: no journal holds one.
package struct CredentialRecord: Codable, Equatable, Sendable {
  package var user: String
  package var password: String

  package init(user: String, password: String) { (self.user, self.password) = (user, password) }
}

/// The client's answer to a challenge.
package enum ChallengeReply: Codable, Equatable, Sendable {
  case use(CredentialRecord)
  /// Continues without a credential.
  case useNone
  /// Trusts the server with the certificates that it showed.
  case trustServer
  case performDefault
  case rejectSpace
  case cancel
}
