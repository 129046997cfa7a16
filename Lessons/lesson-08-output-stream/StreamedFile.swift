// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A file that a stream writes beside the one that is wanted. It takes that
/// one's place when it is whole.
final class StreamedFile {
  private let file: URL
  private let part: URL
  private let make: (URL) -> OutputStream?
  private var stream: OutputStream?

  init(_ file: URL, _ make: @escaping (URL) -> OutputStream?) {
    (self.file, self.make) = (file, make)
    part = file.appendingPathExtension("part")
  }

  // begin opened
  /// Makes and opens the stream, if the answer's status is 200.
  func open(for status: Int?) throws {
    guard status == 200 else { throw URLError(.badServerResponse) }
    discard()
    stream = make(part)
    stream?.open()  // ←
  }
  // end opened

  // begin continued
  /// Writes all of the piece, however much the stream takes at a time.
  func write(_ data: Data) throws {
    guard let stream else { throw CocoaError(.fileNoSuchFile) }
    var rest = data
    while !rest.isEmpty {
      let count = stream.write([UInt8](rest), maxLength: rest.count)  // ←
      guard count > 0 else {
        throw stream.streamError ?? CocoaError(.fileWriteUnknown)
      }
      rest = rest.dropFirst(count)
    }
  }
  // end continued

  /// Puts the file in the old one's place, in one step.
  func finish() throws {
    guard let stream, stream.streamStatus == .open else {
      throw stream?.streamError ?? CocoaError(.fileWriteUnknown)
    }
    stream.close()
    self.stream = nil
    guard rename(part.path, file.path) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
  }

  /// Closes the stream and removes its file, unless that is finished.
  func discard() {
    stream?.close()
    stream = nil
    try? FileManager.default.removeItem(at: part)
  }
}
