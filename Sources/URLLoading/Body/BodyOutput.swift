// SPDX-License-Identifier: Apache-2.0

/// Where the body of a response goes, opened.
enum BodyOutput {
  case none
  case stream
  case multipart(MultipartBody)
  case collect(BodyCollector)
  case file(FileSink)
  case discard

  /// The fate of a piece.
  enum Taken {
    case taken
    /// Taken, and the client's buffer is full.
    case bufferFull
    /// The sink has taken the bytes, and the disk is busy with earlier ones.
    case diskBusy
    /// The load ends; the sentence says why.
    case refused(String)
  }

  /// Takes a piece, with which `received` bytes have arrived, decoded from `sent`. `append` gives it to the client's buffer, and
  /// returns true when that is full.
  func take(
    _ bytes: UnsafeRawBufferPointer, received: Int64, sent: @autoclosure () -> Int64,
    _ append: (UnsafeRawBufferPointer) -> Bool
  ) -> Taken {
    switch self {
    case .none, .discard, .multipart: return .taken
    case .stream: return unsafe append(bytes) ? .bufferFull : .taken
    case .file(let sink): return unsafe sink.append(bytes) ? .taken : .diskBusy
    case .collect(let collector):
      if received > CollectingLimit.bytes { return .refused(CollectingLimit.sentence) }
      guard unsafe collector.append(bytes) else { return .refused("There is no memory for the whole body.") }
      guard GrowthRule.isBomb(decoded: received, sent: sent()) else { return .taken }
      return .refused("The body grows to more than \(GrowthRule.densest) times what was sent.")
    }
  }
}

/// Why nothing is read at the moment, besides an open question (`LoadMachine.pausesReading`).
struct ReadingHold: OptionSet {
  let rawValue: UInt8
  static let suspended = ReadingHold(rawValue: 1)
  static let buffer = ReadingHold(rawValue: 2)
  static let disk = ReadingHold(rawValue: 4)
}
