// SPDX-License-Identifier: Apache-2.0
import Locking

/// Content that a client cannot make up from its address.
///
/// Problem: a program that is graded knows its address, and the generators of bodies, names and orders are no secret, so a
/// seed in the address would be all that it needs to write an answer down without asking. Choice: an address holds a token,
/// which a random number is; what it stands for is told to the server's process alone.
package enum HiddenSeeds {
  private static let known = Locked<[UInt64: UInt64]>([:])
  /// A process serves one run after the other; what is kept of the earlier ones goes before it grows large.
  private static let limit = 10_000

  /// Lets `token` in an address stand for the content of `seed`. Any thread may call it.
  package static func hide(_ seed: UInt64, behind token: UInt64) {
    known.withLock { known in
      if known.count >= limit { known.removeAll() }
      known[token] = seed
    }
  }

  /// The seed of the content that a number in an address stands for: the number itself, where nothing is hidden behind it.
  static func seed(behind token: UInt64) -> UInt64 { known.withLock { $0[token] } ?? token }
}

extension Request {
  /// The seed of the content that the parameter `seed` asks for, 1 where there is none.
  ///
  /// - Throws: `LessonServerError.invalidParameter`.
  func seed() throws(LessonServerError) -> UInt64 { HiddenSeeds.seed(behind: UInt64(try number("seed") ?? 1)) }
}
