// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The body of a resumed upload, found again. It may block to be made.
final class UploadBody: Sendable {
  /// The body to send.
  let body: LoadBody
  /// Its length; nil for a stream.
  let length: Int64?
  /// The file, where it is one of ours, and goes with this object unless it is kept.
  private let file: PartialFile?
  let origin: UploadRecord.Body

  /// Finds what `record` describes.
  ///
  /// - Throws: A sentence that says why it is not there.
  init(of record: UploadRecord, in directory: URL) throws(ResumeRefusal) {
    origin = record.body
    switch record.body {
    case .requested: (body, length, file) = (.requested, nil, nil)
    case .file(let path, let stamp):
      guard FileStamp(path: path) == stamp else {
        throw ResumeRefusal("The file '\(path)' is not the one that was being sent, or has changed.")
      }
      (body, length, file) = (.file(URL(fileURLWithPath: path)), stamp.length, nil)
    case .spooled(let name, let number, let count):
      let file = try PartialFile(named: name, number: number, count: count, in: directory)
      file.discard()
      (body, length, self.file) = (.file(file.url), count, file)
    }
  }

  /// The file stays for another time.
  func keep() { file?.keep() }
}
