// SPDX-License-Identifier: Apache-2.0

/// One request and its answer on an HTTP/2 connection; only the connection's thread touches it.
final class HTTP2Stream {
  let id: Int32
  /// All fields in order, the pseudo fields such as `:path` among them.
  var fields: [HeaderField] = []
  /// Its request in the log, once its head is whole.
  var entry: Int?
  var received = BodyChecksum()

  /// The script for it, where that is known before the request is whole.
  var script: Script?
  var hasBegun = false
  /// The code of the RST_STREAM that follows the response.
  var lastWord: UInt32?
  /// True if it waits until all before has gone out.
  var isLastWordApart = false
  /// True if it takes the place of END_STREAM.
  var isCut = false
  var hasEnded = false
  /// The steps that are still to be done for it.
  var steps: ArraySlice<Step> = []
  /// When to continue, after a delay or where a rate holds the body back.
  var due: MonotonicTime?
  var rate: Int?

  var status: Int?
  /// The head of the answer as HTTP/1.1 would write it.
  var answerHead: [UInt8] = []
  /// When nghttp2 got the head of the answer.
  var answered: MonotonicTime?
  var body = Response.Body.none
  /// Body bytes given to nghttp2 so far.
  var sent: Int64 = 0

  init(_ id: Int32) {
    self.id = id
  }

  /// The head as the log and the routes know it.
  var head: RequestHead {
    func pseudo(_ name: String) -> String { fields.first { $0.name == name }?.value ?? "" }
    return RequestHead(
      raw: [], method: pseudo(":method"), target: pseudo(":path"), version: "HTTP/2", fields: fields)
  }

  /// Copies the next body bytes into `room` and answers how many.
  func fill(_ room: UnsafeMutableRawBufferPointer) -> Int {
    let count: Int
    switch body {
    case .none: count = 0
    case .bytes(let bytes):
      count = min(room.count, bytes.count - Int(sent))
      room.copyBytes(from: bytes[Int(sent)..<Int(sent) + count])
    case .seeded(let seed, let range):
      count = Int(min(Int64(room.count), Int64(range.count) - sent))
      SeededBody(seed: seed).fill(
        UnsafeMutableRawBufferPointer(rebasing: room[..<count]), from: range.lowerBound + sent)
    }
    sent += Int64(count)
    return count
  }

  var isComplete: Bool {
    switch body {
    case .none: true
    case .bytes(let bytes): sent >= bytes.count
    case .seeded(_, let range): sent >= range.count
    }
  }
}
