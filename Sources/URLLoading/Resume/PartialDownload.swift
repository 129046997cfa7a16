// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The rest of a download that ended early, and could be taken up again.
///
/// A file that the load itself has written goes with it, unless `resumeData` is called.
package struct PartialDownload: Sendable {
  private let record: ResumeRecord
  /// nil for a download that was never taken up: its file is as it was.
  private let file: PartialFile?

  init(_ record: ResumeRecord, file: PartialFile?) {
    self.record = record
    self.file = file
  }

  /// A download whose file lies where the record says, and stays there.
  package init(_ record: ResumeRecord) { self.init(record, file: nil) }

  /// Keeps the file and describes it; nil for a request that cannot be written down. Call it once.
  package func resumeData() -> Data? {
    guard let data = record.data else { return nil }
    file?.keep()
    return data
  }
}
