// SPDX-License-Identifier: Apache-2.0
import Foundation
import URLLoading

/// The facts known of a request's body before it is sent.
enum RequestBody {
  /// Its length in bytes: 0 without a body, -1 for a stream without a Content-Length.
  static func length(of request: URLRequest, body: LoadBody?) -> Int64 {
    switch body {
    case .data(let data): Int64(data.count)
    case .file(let url): (try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize).map(Int64.init) ?? 0
    case .requested: statedLength(of: request)
    case nil where request.flowingBody != nil: statedLength(of: request)
    case nil: Int64(request.bodyInMemory?.count ?? 0)
    }
  }

  /// Why the file of an upload cannot be read, or nil when it can.
  static func refusal(of body: LoadBody?, url: URL?) -> URLError? {
    guard case .file(let file) = body else { return nil }
    var isDirectory: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory) else {
      return LoadError.error(.fileDoesNotExist, url: url, description: "The file '\(file.path)' does not exist.")
    }
    guard !isDirectory.boolValue else {
      return LoadError.error(.fileIsDirectory, url: url, description: "'\(file.path)' is a directory, not a file.")
    }
    // A FIFO would block its reader until a writer opens it.
    let type = try? FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)[.type]
    guard type as? FileAttributeType == .typeRegular else {
      return LoadError.error(.cannotOpenFile, url: url, description: "'\(file.path)' is no plain file.")
    }
    guard FileManager.default.isReadableFile(atPath: file.path) else {
      return LoadError.error(
        .noPermissionsToReadFile, url: url, description: "The file '\(file.path)' may not be read by this user.")
    }
    return nil
  }

  private static func statedLength(of request: URLRequest) -> Int64 {
    request.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) } ?? NSURLSessionTransferSizeUnknown
  }
}
