// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A file that an example left in its folder.
public struct FileSeen: Sendable, Hashable {
  /// Its path below the folder.
  public var path: String
  /// Its size.
  public var bytes: Int
  /// Whether it is the server's body, byte by byte.
  public var isBody: Bool
  /// Whether it ends with the server's body, whatever stands before.
  public var endsWithBody: Bool

  /// The files below `folder`, by path; `body` is what the server sent.
  static func all(in folder: String, body: ExampleAddress.Body?) -> [FileSeen] {
    guard let paths = FileManager.default.enumerator(atPath: folder) else { return [] }
    return paths.compactMap { $0 as? String }.sorted().compactMap { path in
      var isFolder: ObjCBool = false
      let file = folder + "/" + path
      guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), !isFolder.boolValue else {
        return nil
      }
      return FileSeen(path: path, file: file, body: body)
    }
  }

  private init?(path: String, file: String, body: ExampleAddress.Body?) {
    let digest = BodyDigest()
    digest.takeFile(file)
    self.path = path
    bytes = Int(digest.result.bytes)
    isBody = body.map { $0.bytes == digest.result.bytes && $0.checksum == digest.result.checksum } ?? false
    endsWithBody = isBody
    guard let body, !isBody, digest.result.bytes > body.bytes else { return }
    let end = BodyDigest()
    end.takeFile(file, from: digest.result.bytes - body.bytes)
    endsWithBody = end.result.checksum == body.checksum
  }
}
