// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Glibc

/// All that has to outlive the agent of one session, and how it lies on the disk.
///
/// A file of lines, each a JSON object: the session first, then one for each task. It is written anew as a whole, synced and
/// renamed, so that a kill at any moment leaves the old state or the new one. What is damaged all the same (a disk, a
/// person's editor) costs the damaged lines alone.
package struct Journal: Equatable, Sendable {
  package static let name = "journal"
  private static let version = 1
  /// A file beyond this is no journal of ours, and is not read into memory.
  package static let limit = 256 * 1024 * 1024

  package var identifier: String
  package var settings: SessionSettings
  package var tasks: [UUID: TransferRecord] = [:]
  /// The last end for which the program was started again.
  package var launched: Int?

  private struct Head: Codable {
    var version: Int
    var identifier: String
    var settings: SessionSettings
    var launched: Int?
  }

  package init(identifier: String, settings: SessionSettings) {
    (self.identifier, self.settings) = (identifier, settings)
  }

  /// The lines.
  package var data: Data {
    get throws(TransferFault) {
      let encoder = JSONEncoder()
      do {
        var lines = [
          try encoder.encode(
            Head(version: Self.version, identifier: identifier, settings: settings, launched: launched))
        ]
        lines += try tasks.values.sorted { $0.number < $1.number }.map { try encoder.encode($0) }
        // Piece by piece: a sequence of joined pieces is copied byte by byte.
        return lines.reduce(into: Data()) { data, line in
          data.append(line)
          data.append(10)
        }
      } catch {
        throw TransferFault("The journal cannot be written down: \(error)")
      }
    }
  }

  /// Reads lines; `note` takes a sentence for each that cannot be read.
  /// - Throws: where the first line is none of a journal, so that nothing can be restored.
  package init(data: Data, note: (String) -> Void) throws(TransferFault) {
    let lines = Self.lines(of: data)
    guard let first = lines.first else { throw TransferFault("The journal is empty.") }
    guard let head = try? JSONDecoder().decode(Head.self, from: first) else {
      throw TransferFault("The journal's first line cannot be read.")
    }
    guard head.version == Self.version else {
      throw TransferFault("The journal has version \(head.version), not \(Self.version).")
    }
    (identifier, settings, launched) = (head.identifier, head.settings, head.launched)
    for (number, line) in lines.enumerated().dropFirst() {
      if let task = try? JSONDecoder().decode(TransferRecord.self, from: line) {
        tasks[task.key] = task
      } else {
        note("Line \(number + 1) of the journal of '\(identifier)' cannot be read; its task is lost.")
      }
    }
  }

  /// The lines that are not empty.
  private static func lines(of data: Data) -> [Data] {
    var (lines, rest) = ([Data](), data[...])
    while !rest.isEmpty {
      let end = rest.range(of: Data([10]))?.lowerBound ?? rest.endIndex
      if end > rest.startIndex { lines.append(rest[..<end]) }
      rest = rest[min(end + 1, rest.endIndex)...]
    }
    return lines
  }

  /// Reads the journal of a session's folder; nil where there is none.
  /// - Throws: a fault that is passing where the file may be as it should be and only cannot be read now.
  package init?(in folder: URL, note: (String) -> Void) throws(TransferFault) {
    let path = folder.appendingPathComponent(Self.name).path
    let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else {
      // A link, a device without a driver or a socket in its place is no journal, and stays none.
      let isPassing = ![ELOOP, ENXIO, ENODEV].contains(errno)
      throw TransferFault("'\(path)' cannot be read: \(systemReason())", isPassing: isPassing)
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_size <= Self.limit
    else { throw TransferFault("'\(path)' is no journal of this user.") }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    let data: Data?
    do { data = try handle.readToEnd() } catch {
      throw TransferFault("'\(path)' cannot be read: \(error)", isPassing: true)
    }
    try self.init(data: data ?? Data(), note: note)
  }

  /// Moves a journal that cannot be read out of the way, and links the files that it may know beside it: an agent of another
  /// version, or a person, may read it. The files stay here too, for a program may be taking one. Returns the new folder,
  /// beside the old one.
  /// - Throws: where that cannot be done. The files are only safe as long as no session begins in the folder.
  package static func setAside(_ folder: URL, now: Date = Date()) throws(TransferFault) -> URL {
    let date = now.ISO8601Format().replacingOccurrences(of: ":", with: "-")
    let (above, name) = (folder.deletingLastPathComponent(), folder.lastPathComponent)
    for number in 1..<1_000 {
      let place = above.appendingPathComponent("unreadable-\(date)-\(number)-\(name)")
      if unsafe mkdir(place.path, 0o700) == 0 {
        try fill(place, from: folder)
        return place
      }
      guard errno == EEXIST else { break }
    }
    throw TransferFault("'\(folder.path)' cannot be set aside: \(systemReason())", isPassing: true)
  }

  /// The journal comes last: an agent that is killed before begins again.
  private static func fill(_ place: URL, from folder: URL) throws(TransferFault) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for file in names.filter({ $0 != name }) + [name] {
      let (old, new) = (folder.appendingPathComponent(file).path, place.appendingPathComponent(file).path)
      // Not every disk knows second names (link(2)), and no folder has one.
      if file != name, unsafe link(old, new) == 0 { continue }
      guard unsafe rename(old, new) == 0 else {
        throw TransferFault("'\(old)' cannot be set aside: \(systemReason())", isPassing: true)
      }
    }
  }

  /// Puts this state in the place of the earlier one.
  /// - Throws: also where the journal takes more than `limit` bytes, and might not be read again.
  package func save(in folder: URL, limit: Int = Journal.limit) throws(TransferFault) {
    let path = folder.appendingPathComponent(Self.name).path
    let bytes = try data
    guard bytes.count <= limit else {
      throw TransferFault("The journal of '\(identifier)' takes \(bytes.count) bytes; \(limit) are the limit.")
    }
    let draft = path + ".new"
    let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TransferFault("'\(draft)' cannot be written: \(systemReason())") }
    let isWritten = Self.write(bytes, to: descriptor) && fsync(descriptor) == 0
    let reason = systemReason()
    guard close(descriptor) == 0, isWritten, unsafe rename(draft, path) == 0 else {
      let fault = TransferFault("'\(path)' cannot be written: \(isWritten ? systemReason() : reason)")
      unsafe unlink(draft)
      throw fault
    }
    Self.sync(folder)
  }

  private static func write(_ bytes: Data, to descriptor: Int32) -> Bool {
    unsafe bytes.withUnsafeBytes { all in
      var rest = unsafe all[...]
      while unsafe !rest.isEmpty {
        let count = unsafe Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        unsafe rest = unsafe rest.dropFirst(count)
      }
      return true
    }
  }

  /// Names are on the disk once their folder is.
  private static func sync(_ folder: URL) {
    let descriptor = unsafe open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
