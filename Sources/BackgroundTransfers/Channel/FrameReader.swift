// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// Takes a stream of bytes apart into messages: four bytes of length, the most significant first, then as many bytes.
///
/// The other side may send anything. No memory is taken for a length before its bytes have arrived, and one above the limit is
/// a fault at once.
package struct FrameReader {
  /// The longest message, in bytes.
  package static let limit = 8 * 1024 * 1024
  /// The longest message of a client that has not said which session it is of: room for fields and arguments.
  package static let firstLimit = 256 * 1024
  private static let head = 4

  /// The longest message that is read.
  package var limit: Int
  private var bytes = Data()

  package init(limit: Int = FrameReader.limit) { self.limit = limit }

  /// Bytes arrived.
  package mutating func append(_ new: UnsafeRawBufferPointer) { unsafe bytes.append(contentsOf: new) }

  /// The next whole message, or nil until more bytes come.
  package mutating func next() throws(TransferFault) -> Data? {
    guard bytes.count >= Self.head else { return nil }
    let length = bytes.prefix(Self.head).reduce(0) { $0 << 8 | Int($1) }
    guard length <= limit else { throw TransferFault("A message of \(length) bytes is too long.") }
    guard bytes.count >= Self.head + length else { return nil }
    let message = Data(bytes.dropFirst(Self.head).prefix(length))
    bytes = Data(bytes.dropFirst(Self.head + length))
    return message
  }

  /// A message as it is sent.
  package static func frame(_ message: Data) throws(TransferFault) -> Data {
    guard message.count <= limit else { throw TransferFault("A message of \(message.count) bytes is too long.") }
    let length = UInt32(message.count)
    return Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }) + message
  }
}
