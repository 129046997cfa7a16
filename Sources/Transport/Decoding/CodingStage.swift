// SPDX-License-Identifier: Apache-2.0

/// Takes one content coding off a body, step by step. It belongs to the I/O thread.
protocol CodingStage: AnyObject {
  /// True if nothing is missing: the coded stream has ended, or there was no byte at all.
  var isComplete: Bool { get }
  /// True if `step` has something to do: input is left, or output that did not fit.
  var hasWork: Bool { get }

  /// Takes `input`, which stays in place until it is used up or taken back. Only when there is no work.
  /// - Throws: `outOfMemory` when there is none to decode with.
  func give(_ input: UnsafeRawBufferPointer) throws(TransferFailure)

  /// Takes the input that is left back.
  func takeInput() -> [UInt8]

  /// Decodes one piece and returns the decoded bytes, at most 64 KiB and maybe none. They stay in place until the next step.
  /// - Throws: `undecodableContent` when the bytes are not of this coding or damaged.
  func step() throws(TransferFailure) -> UnsafeRawBufferPointer
}

extension ContentCoding {
  /// Bytes that a stage brings in a step.
  static let pieceSize = 64 * 1024

  func makeStage() -> any CodingStage {
    self == .brotli ? BrotliDecoder() : ContentDecoder(self)
  }
}
