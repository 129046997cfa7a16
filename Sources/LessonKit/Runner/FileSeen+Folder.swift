// SPDX-License-Identifier: Apache-2.0
import Foundation

extension FileSeen {
  /// The most files that are looked at where a program is not trusted.
  private static let most = 10_000

  /// The files below `folder`, by path; `body` is what the server sent. A symbolic link, a pipe and a device are no files,
  /// for reading them could have no end. Under `limits`, what goes beyond two of the largest files is left out.
  static func all(in folder: String, body: ExampleAddress.Body?, limits: ProgramLimits? = nil) -> [FileSeen] {
    guard let paths = FileManager.default.enumerator(atPath: folder) else { return [] }
    var left = limits.map { 2 * $0.file } ?? .max
    let names = paths.lazy.compactMap { $0 as? String }.prefix(limits == nil ? .max : most)
    return Array(names).sorted().compactMap { path in
      let file = folder + "/" + path
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: file),
        attributes[.type] as? FileAttributeType == .typeRegular,
        let size = (attributes[.size] as? NSNumber)?.intValue, size <= left
      else { return nil }
      left -= size
      return FileSeen(path: path, file: file, body: body)
    }
  }

  private init?(path: String, file: String, body: ExampleAddress.Body?) {
    let digest = BodyDigest()
    digest.takeFile(file)
    self.path = path
    bytes = Int(digest.result.bytes)
    checksum = digest.result.checksum
    isBody = body.map { $0.bytes == digest.result.bytes && $0.checksum == digest.result.checksum } ?? false
    endsWithBody = isBody
    guard let body, !isBody, digest.result.bytes > body.bytes else { return }
    let end = BodyDigest()
    end.takeFile(file, from: digest.result.bytes - body.bytes)
    endsWithBody = end.result.checksum == body.checksum
  }
}
