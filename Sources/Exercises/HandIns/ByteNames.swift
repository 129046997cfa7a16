// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonKit

/// Entries of a folder by the bytes of their names, which need be no UTF-8: whoever unpacks an archive of another system may
/// get such ones. Foundation changes these names as it lists them, and finds no file under the changed one.
struct ByteEntry: Sendable, Hashable {
  /// The kind of an entry, links not followed.
  enum Kind: Sendable, Hashable {
    case folder, file, link, other
  }

  /// The path, without the zero at its end.
  let path: [UInt8]
  /// The last part of the path.
  let name: [UInt8]
  /// What it is; nil where it is gone.
  var kind: Kind? {
    var status = stat()
    guard lstat(Self.terminated(path), &status) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFDIR: .folder
    case S_IFREG: .file
    case S_IFLNK: .link
    default: .other
    }
  }

  /// The entries of the folder at a path, in the order of their bytes; nil where it cannot be read.
  static func list(_ folder: [UInt8]) -> [ByteEntry]? {
    guard let stream = opendir(terminated(folder)) else { return nil }
    defer { closedir(stream) }
    var entries: [ByteEntry] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard name != Array(".".utf8), name != Array("..".utf8) else { continue }
      entries.append(ByteEntry(path: folder + Array("/".utf8) + name, name: name))
    }
    return entries.sorted { $0.name.lexicographicallyPrecedes($1.name) }
  }

  /// The name as text; nil where it is no UTF-8.
  var text: String? { String(validating: name, as: UTF8.self) }

  /// The name as text in any case: each byte that is no UTF-8 becomes `%` and two digits.
  var readable: String {
    var (text, rest) = ("", name[...])
    while let first = rest.first {
      let length = (1...4).first { String(validating: rest.prefix($0), as: UTF8.self) != nil }
      text +=
        length.map { String(decoding: rest.prefix($0), as: UTF8.self) } ?? "%" + String(first, radix: 16).uppercased()
      rest = rest.dropFirst(length ?? 1)
    }
    return text
  }

  /// True if its name, or one below it, is no UTF-8.
  func isUnreadable(depth: Int = 0) -> Bool {
    if text == nil { return true }
    guard depth < HandInContents.depth, kind == .folder else { return false }
    return Self.list(path)?.contains { $0.isUnreadable(depth: depth + 1) } ?? false
  }

  /// The whole file, where it has no more than so many bytes.
  func contents(atMost limit: Int) -> Data? {
    let descriptor = open(Self.terminated(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    guard let data = try? file.read(upToCount: limit + 1) ?? Data(), data.count <= limit else { return nil }
    return data
  }

  private static func terminated(_ path: [UInt8]) -> [CChar] { path.map(CChar.init(bitPattern:)) + [0] }
}

/// Copies of hand-ins in which every name is text, for all that reads files by names.
enum ReadableCopy {
  private static let largest = 64 << 20

  /// The place itself where all names in it are text, else a copy of it in `folder`.
  ///
  /// - Throws: `LessonKitError` with code `environment` when the copy cannot be made.
  static func place(_ place: URL, in folder: TemporaryFolder, numbered number: Int) throws(LessonKitError) -> URL {
    let entry = ByteEntry(path: Array(place.path.utf8), name: Array(place.lastPathComponent.utf8))
    guard entry.isUnreadable() else { return place }
    return try copy(entry, in: folder, numbered: number)
  }

  /// A copy of an entry, under its readable name. Links are left out, and of files that no grading reads only the names are
  /// kept.
  ///
  /// - Throws: as `place`.
  static func copy(_ entry: ByteEntry, in folder: TemporaryFolder, numbered number: Int) throws(LessonKitError) -> URL {
    let place = try folder.makeFolder("copy-\(number)").appendingPathComponent(entry.readable)
    var left = HandInContents.entries
    do {
      try write(entry, to: place, depth: 0, &left)
    } catch {
      throw LessonKitError(
        .environment, "The file \(place.path) cannot be written. Set TMPDIR to a folder that you may write to.")
    }
    return place
  }

  private static func write(_ entry: ByteEntry, to place: URL, depth: Int, _ left: inout Int) throws {
    left -= 1
    guard left > 0, !FileManager.default.fileExists(atPath: place.path) else { return }
    switch entry.kind {
    case .folder where depth <= HandInContents.depth:
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
      for next in ByteEntry.list(entry.path) ?? [] {
        try write(next, to: place.appendingPathComponent(next.readable), depth: depth + 1, &left)
      }
    case .file:
      let name = place.lastPathComponent
      let isRead = HandInContents.isProgram(name) || name.lowercased().hasSuffix(".zip") || name == StateNotes.fileName
      try ((isRead ? entry.contents(atMost: largest) : nil) ?? Data()).write(to: place)
    default: break
    }
  }
}
