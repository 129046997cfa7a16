// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import HTTPRules

/// The credentials that servers accepted from the loads of one context, so that the next request need not be refused
/// first (RFC 7617 section 2.2). Pure.
struct LoginCache {
  /// Spaces that are kept; the oldest go first.
  static let limit = 256

  private struct Entry {
    var ticket: LoginMachine.Ticket
    /// The path up to and with its last slash: what lies below is taken for the same space.
    var directory: String

    func isAbout(_ other: LoginMachine.Ticket) -> Bool {
      ticket.offer.space == other.offer.space && ticket.credential == other.credential
    }
  }

  private var entries: [Entry] = []
  var nonces = NonceCounter()

  /// `ticket` was right for a request to `url`. Credentials that are for one use only are not kept.
  mutating func accepted(_ ticket: LoginMachine.Ticket, at url: URL) {
    guard ticket.credential.persistence != .none else { return }
    var ticket = ticket
    // Another load may have got the next nonce meanwhile.
    if ticket.source == .memory, let known = entries.last(where: { $0.isAbout(ticket) }) { ticket = known.ticket }
    ticket.source = .memory
    let directory = ticket.offer.coversOrigin ? "/" : Self.directory(of: url)
    entries.removeAll { $0.ticket.offer.space == ticket.offer.space && $0.directory.hasPrefix(directory) }
    entries.append(Entry(ticket: ticket, directory: directory))
    if entries.count > Self.limit { entries.removeFirst() }
  }

  /// `ticket` was refused.
  mutating func refused(_ ticket: LoginMachine.Ticket) {
    entries.removeAll { $0.isAbout(ticket) }
  }

  /// The ticket as the next request carries it, and what is remembered of it: with the nonce that an answer named in these
  /// values of Authentication-Info or its like for proxies (RFC 7616 section 3.5).
  mutating func renewed(_ ticket: LoginMachine.Ticket, by fields: [String]) -> LoginMachine.Ticket {
    guard !fields.isEmpty, case .digest(let digest) = ticket.offer.scheme,
      let nonce = DigestChallenge.nextNonce(in: fields), nonce != digest.nonce
    else { return ticket }
    var ticket = ticket
    ticket.offer.scheme = .digest(digest.renewed(nonce))
    nonces.renew(digest.nonce, to: nonce, of: ticket.offer.space.origin)
    for index in entries.indices where entries[index].isAbout(ticket) {
      entries[index].ticket.offer.scheme = ticket.offer.scheme
    }
    return ticket
  }

  /// Finds the ticket to send along with a request to `url` unasked. A URL with a user's name gets that user's credential or
  /// none.
  func ticket(for url: URL) -> LoginMachine.Ticket? {
    guard !entries.isEmpty, let origin = Origin(url) else { return nil }
    return ticket(for: url, origin)
  }

  /// The same where the origin is not that of the URL.
  func ticket(for url: URL, _ origin: Origin) -> LoginMachine.Ticket? {
    let (path, user) = (Self.path(of: url), url.user?.removingPercentEncoding)
    return entries.last { entry in
      entry.ticket.offer.space.origin == origin && path.hasPrefix(entry.directory)
        && (user == nil || user == entry.ticket.credential.user)
    }?.ticket
  }

  private static func path(of url: URL) -> String {
    url.path.isEmpty ? "/" : url.path + (url.hasDirectoryPath ? "/" : "")
  }

  private static func directory(of url: URL) -> String {
    let path = path(of: url)
    return path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
  }
}
