// SPDX-License-Identifier: Apache-2.0
import HTTPRules

/// How often each nonce was used: a server may refuse a count that it has seen (RFC 7616 section 3.4.5). Pure but for the
/// random text that goes with each nonce.
struct NonceCounter {
  /// Nonces that are kept; the oldest go first.
  static let limit = 256

  private struct Use {
    var origin: Origin
    var nonce: String
    var clientNonce: String
    var count: UInt32
  }

  private var uses: [Use] = []

  /// The server goes over from one nonce to the next (RFC 7616 section 3.5). The client's own text stays, for it is a part of a
  /// session's key (section 3.4.2).
  mutating func renew(_ nonce: String, to next: String, of origin: Origin) {
    guard let use = uses.last(where: { $0.nonce == nonce && $0.origin == origin }),
      !uses.contains(where: { $0.nonce == next && $0.origin == origin })
    else { return }
    if uses.count == Self.limit { uses.removeFirst() }
    uses.append(Use(origin: origin, nonce: next, clientNonce: use.clientNonce, count: 0))
  }

  /// Counts one more use of `nonce`.
  mutating func next(_ nonce: String, of origin: Origin) -> (count: UInt32, clientNonce: String) {
    if let index = uses.lastIndex(where: { $0.nonce == nonce && $0.origin == origin }) {
      uses[index].count += 1
      return (uses[index].count, uses[index].clientNonce)
    }
    if uses.count == Self.limit { uses.removeFirst() }
    // 128 bits from the system's generator.
    let text = String(UInt64.random(in: .min ... .max), radix: 36) + String(UInt64.random(in: .min ... .max), radix: 36)
    uses.append(Use(origin: origin, nonce: nonce, clientNonce: text, count: 1))
    return (1, text)
  }
}
