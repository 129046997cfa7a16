// SPDX-License-Identifier: Apache-2.0

/// What a user would pick instead.
struct Peer: Sendable {
  /// What it is called in the table.
  var name: String
  /// Its program in the peers' folder.
  var program: String
  /// True if it trusts the system's authorities alone.
  var trustsSystemOnly = false

  static let all = [
    Peer(name: "the toolchain’s", program: "toolchain", trustsSystemOnly: true),
    Peer(name: "async-http-client", program: "asynchttpclient"),
  ]

  /// A peer that does not come to its end has that as its result.
  static let limit = ["timeout", "--signal=KILL", "300"]

  /// What makes a command trust this authority: where no setting does, the system's file is another one in a mount
  /// namespace of its own.
  func trusting(_ authority: String) -> [String] {
    guard trustsSystemOnly else { return [] }
    let script = "mount --bind \"$0\" /etc/ssl/certs/ca-certificates.crt && exec \"$@\""
    return ["unshare", "--map-root-user", "--mount", "sh", "-c", script, authority]
  }
}

/// What a peer's runs came to.
struct PeerResult {
  var peer: Peer
  var figures: [Figures] = []
  /// Why there are no more; nil where all came to their end.
  var failure: String?
}
