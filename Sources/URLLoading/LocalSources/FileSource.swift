// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Glibc

/// Reads a `file:` URL on a queue for the disk, one piece ahead of what was taken.
final class FileSource: LocalSource, @unchecked Sendable {
  // Sendable: the descriptor belongs to the queue.
  private let url: URL
  private let disk = DispatchQueue.disk()
  private var descriptor: Int32 = -1
  private static let pieceSize = 256 * 1024

  init(_ url: URL) {
    self.url = url
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  func start(for load: Load) {
    disk.async { [self] in
      do throws(URLError) {
        load.report(.response(try open()), from: self)
      } catch {
        load.report(.end(error), from: self)
      }
    }
  }

  func more(for load: Load) {
    disk.async { [self] in
      var piece = [UInt8](repeating: 0, count: Self.pieceSize)
      var count = unsafe read(descriptor, &piece, piece.count)
      while count < 0, errno == EINTR { count = unsafe read(descriptor, &piece, piece.count) }
      switch count {
      case 0: load.report(.end(nil), from: self)
      case 1...: load.report(.body(Data(piece.prefix(count))), from: self)
      default: load.report(.end(failure(.cannotOpenFile)), from: self)
      }
    }
  }

  func stop() {
    disk.async { [self] in
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }

  private func open() throws(URLError) -> URLResponse {
    let path = url.path
    guard ["", "localhost"].contains(url.host ?? ""), !path.isEmpty, !path.utf8.contains(0) else {
      throw LoadError.error(.fileDoesNotExist, url: url, description: "The URL names no file of this machine.")
    }
    // O_NONBLOCK: a FIFO must not wait for its writer.
    descriptor = unsafe Glibc.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR: throw failure(.fileDoesNotExist)
      case EACCES, EPERM: throw failure(.noPermissionsToReadFile)
      default: throw failure(.cannotOpenFile)
      }
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw failure(.cannotOpenFile) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR:
      throw LoadError.error(.fileIsDirectory, url: url, description: "'\(path)' is a directory, not a file.")
    default: throw LoadError.error(.cannotOpenFile, url: url, description: "'\(path)' is no plain file.")
    }
    return URLResponse(
      url: url, mimeType: FileMediaType.named(url.pathExtension), expectedContentLength: Int(status.st_size),
      textEncodingName: nil)
  }

  private func failure(_ code: URLError.Code) -> URLError {
    let error = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    return LoadError.error(
      code, url: url, underlying: error,
      description: unsafe "The file '\(url.path)' cannot be read: \(String(cString: strerror(error.code.rawValue))).")
  }
}

/// The media types of usual files, by the ends of their names.
enum FileMediaType {
  private static let types = [
    "css": "text/css", "csv": "text/csv", "gif": "image/gif", "gz": "application/gzip", "htm": "text/html",
    "html": "text/html", "jpeg": "image/jpeg", "jpg": "image/jpeg", "js": "text/javascript",
    "json": "application/json", "md": "text/markdown", "mp3": "audio/mpeg", "mp4": "video/mp4",
    "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml", "txt": "text/plain", "webp": "image/webp",
    "xml": "application/xml", "zip": "application/zip",
  ]

  /// The type of a file whose name ends so; bytes of no known meaning for an end that is not known.
  static func named(_ ending: String) -> String { types[ending.lowercased()] ?? "application/octet-stream" }
}
