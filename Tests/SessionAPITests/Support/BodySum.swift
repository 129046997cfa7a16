// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking

/// The checksum of a body that comes in pieces, in the order in which they come.
final class BodySum: Sendable {
  private let sum = Locked(BodyChecksum())

  var value: UInt64 { sum.withLock { $0.value } }

  func add(_ data: Data) {
    data.withUnsafeBytes { bytes in sum.withLock { $0.update(bytes) } }
  }

  static func of(_ data: Data?) -> UInt64 {
    let sum = BodySum()
    sum.add(data ?? Data())
    return sum.value
  }
}
