// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The rest of an upload that ended early, and could be taken up again.
package struct PartialUpload: Sendable {
  let request: URLRequest
  let resource: URL
  let body: LoadBody?
  /// The file that an earlier load wrote the body to.
  let spool: UploadBody?

  /// Describes it; bytes in memory are written to a private file in `directory` first, so that another process can continue
  /// with them. nil where that fails. It may block; call it once.
  package func resumeData(in directory: URL) -> Data? {
    var plain = request
    (plain.httpBody, plain.httpBodyStream) = (nil, nil)
    if let spool {
      guard let data = UploadRecord(request: plain, resource: resource, body: spool.origin).data else { return nil }
      spool.keep()
      return data
    }
    switch body {
    case .requested: return UploadRecord(request: plain, resource: resource, body: .requested).data
    case .file(let url):
      guard let stamp = FileStamp(path: url.path) else { return nil }
      return UploadRecord(request: plain, resource: resource, body: .file(path: url.path, stamp)).data
    case .data(let bytes): return spooled(bytes, of: plain, in: directory)
    case nil: return nil
    }
  }

  private static func append(_ bytes: UnsafeRawBufferPointer, to file: PrivateFile) -> POSIXError? {
    do throws(POSIXError) {
      try unsafe file.append(bytes)
      return nil
    } catch {
      return error
    }
  }

  private func spooled(_ bytes: Data, of request: URLRequest, in directory: URL) -> Data? {
    let file = PrivateFile()
    do throws(POSIXError) {
      try file.create(in: directory)
      for piece in bytes.regions {
        let failure = unsafe piece.withUnsafeBytes { unsafe Self.append($0, to: file) }
        if let failure { throw failure }
      }
      let kept = try file.keep()
      let body = UploadRecord.Body.spooled(
        name: kept.url.lastPathComponent, number: kept.number, count: kept.count)
      guard let data = UploadRecord(request: request, resource: resource, body: body).data else { return nil }
      kept.keep()
      return data
    } catch {
      file.remove()
      return nil
    }
  }
}
