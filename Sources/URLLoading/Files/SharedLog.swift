// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc
import HTTPRules

/// The format of the lines of a `SharedLog`.
protocol SharedLogFormat: SendableMetatype {
  associatedtype Record

  /// The word that the first line begins with; a version follows, of which this library knows 1.
  static var family: String { get }
  /// The class whose file it is, and what that keeps, as warnings name them.
  static var owner: String { get }
  static var contents: String { get }
  /// A record as one line without its end; empty where it cannot be written.
  static func text(_ record: Record) -> [UInt8]
  /// Reads the record of such a text; nil for none.
  static func record(_ text: ArraySlice<UInt8>) -> Record?
  /// Reads the records of a file of before this format; nil where it is none.
  static func earlier(_ bytes: [UInt8]) -> [Record]?
}

/// A file in which the processes of one program record, line by line, what changes in a store that they share.
///
/// The first line names the version, with a digest of that behind it. Each further line begins with the first eight digits of the digest of its text. A process
/// records a change by appending a line with one write; before it uses the store, it reads the lines that others appended. When
/// most lines record what later ones replaced, the next process that writes replaces the file by one with a line for each
/// entry. To append, a process takes a shared lock on the folder, to replace the file an exclusive one. No process waits for a
/// lock: it writes a moment later what it could not write before (`WriteRetry`).
///
/// A damaged line is a line less. A file of a later version is neither read nor written; what is no such file is put aside.
/// No `fsync`: a store may lose what was set just before the power went, and nothing else. Not thread-safe.
struct SharedLog<Format: SharedLogFormat> {
  typealias Record = Format.Record

  /// The records that others wrote.
  struct News {
    /// True if these are all there is, in place of what was read before.
    var isWhole: Bool
    var records: [Record]
    /// True if the file, which was there, is no more.
    var isRemoved = false
  }

  /// Bytes of the largest file that is read; 3000 cookies of 4 KiB take half of it.
  static var sizeLimit: Int64 { 32 << 20 }
  static var header: String { header(version: 1) }
  /// How many files that were put aside are kept; from then on the last one gives way.
  static var asideLimit: Int { 3 }
  /// Lines of what is past that a file may have besides as many as there are entries.
  private static var slack: Int { 200 }

  private let (path, folder): (String, String)
  /// The file that was read, and how far.
  private(set) var known: Known?
  /// That file, open, so that its number is given to no other one while it is compared with.
  private var held: HeldFile?
  private var lines = 0
  /// True if that is a list of before this format: the first change puts a file of ours in its place.
  private var isEarlier = false
  /// True if the file is another's, or of a later version: it is left alone.
  private(set) var isLeftAlone = false
  /// True if the last look found a file that could not be read, such as where the process has no descriptor left.
  private var isUnread = false

  struct Known: Equatable {
    var device: dev_t
    var number: ino_t
    var end: Int64

    /// The file at a path as it is now; nil where there is none.
    init?(_ path: String) {
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { return nil }
      self.init(status, Int64(status.st_size))
    }

    fileprivate init(_ status: stat, _ end: Int64) {
      (device, number, self.end) = (status.st_dev, status.st_ino, end)
    }

    fileprivate func isOf(_ status: stat) -> Bool { device == status.st_dev && number == status.st_ino }
  }

  private final class HeldFile: Sendable {
    let descriptor: Int32

    init?(_ path: String) {
      descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      if descriptor < 0 { return nil }
    }

    deinit {
      // Also where there is no file, and what the system said of that is still wanted.
      if descriptor >= 0 { close(descriptor) }
    }

    /// The status that the system gives of it; nil where it says nothing.
    var status: stat? {
      var status = stat()
      return unsafe fstat(descriptor, &status) == 0 ? status : nil
    }
  }

  init(_ file: URL) { (path, folder) = (file.path, file.deletingLastPathComponent().path) }

  // MARK: - Reading

  /// Reads the records written since the last call; nil for none. May block.
  mutating func news() -> News? {
    guard !isLeftAlone else { return nil }
    isUnread = false
    guard let present = Known(path) else {
      // Whoever removed the file removed the entries.
      guard errno == ENOENT, known != nil else { return nil }
      (known, held) = (nil, nil)
      return News(isWhole: true, records: [], isRemoved: true)
    }
    return known == present ? nil : read()
  }

  private mutating func read() -> News? {
    guard let present = HeldFile(path) else {
      isUnread = ![EACCES, ELOOP, ENXIO, EIO].contains(errno)
      if !isUnread { putAside() }
      return nil
    }
    defer { withExtendedLifetime(present) {} }
    isUnread = true
    guard let status = present.status else { return nil }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.sizeLimit else {
      isUnread = false
      putAside(status)
      return nil
    }
    let isSame = held != nil && known.map { $0.isOf(status) && $0.end <= Int64(status.st_size) } ?? false
    let start = isSame ? known?.end ?? 0 : 0
    guard let bytes = BoundedRead.bytes(present.descriptor, from: start, count: status.st_size - Int(start)) else {
      return nil
    }
    isUnread = false
    if start == 0, let earlier = Format.earlier(bytes) {
      (isEarlier, lines, known, held) = (true, 0, Known(status, Int64(bytes.count)), present)
      return News(isWhole: true, records: earlier)
    }
    guard start > 0 || accepts(bytes) else {
      if !isLeftAlone { putAside(status) }
      return nil
    }
    // A line without its end is being written just now.
    let end = (bytes.lastIndex(of: 10) ?? -1) + 1
    let records = bytes[..<end].split(separator: 10).compactMap { Self.record($0) }
    (isEarlier, lines) = (false, (start > 0 ? lines : 0) + records.count)
    (known, held) = (Known(status, start + Int64(end)), present)
    return News(isWhole: start == 0, records: records)
  }

  /// True if a file that begins so is one of ours. A damaged first line is a line less, where another one is whole.
  private mutating func accepts(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: Self.header.utf8) { return true }
    let words = bytes.prefix(100).split(separator: 10, maxSplits: 1).first?.split(separator: 32) ?? []
    if words.count == 3, let version = Int(String(decoding: words[1], as: UTF8.self)), version > 1,
      bytes.starts(with: Self.header(version: version).utf8)
    {
      isLeftAlone = true
      URLLoadingLog.say(
        .warning, Format.owner,
        "\(path) has version \(version), and this library knows 1: \(Format.contents) of this process are kept in "
          + "memory alone.")
      return false
    }
    return bytes.split(separator: 10).contains { Self.record($0) != nil }
  }

  /// The first line of a file of that version.
  static func header(version: Int) -> String {
    let text = Format.family + " \(version)"
    return text + " " + String(decoding: mark(Array(text.utf8)[...]), as: UTF8.self) + "\n"
  }

  // MARK: - Lines

  /// Reads the record of a line, without its end; nil for one that is damaged, and for the first.
  static func record(_ line: ArraySlice<UInt8>) -> Record? {
    guard line.count > 9, line[line.startIndex + 8] == 32 else { return nil }
    let text = line.dropFirst(9)
    return line.prefix(8).elementsEqual(mark(text)) ? Format.record(text) : nil
  }

  /// The line that says it, with its end.
  static func line(_ record: Record) -> [UInt8] {
    let text = Format.text(record)
    return text.isEmpty ? [] : mark(text[...]) + [32] + text + [10]
  }

  private static func mark(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let digest = DamageDigest.of(text)
    let folded = digest ^ digest >> 32
    return (0..<8).map { Array("0123456789abcdef".utf8)[Int(folded >> (28 - 4 * $0) & 15)] }
  }

  // MARK: - Writing

  /// Writes these behind what others wrote; where the file, which has `count` entries, says more of what is past than of them, a
  /// new one with `entries` in its place, once `merge` was given what others wrote. A file that is left alone counts as written.
  /// May block, but for no other process.
  mutating func write(
    _ records: [Record], besides count: Int, all entries: () -> [Record], merge: (News) -> Void
  ) -> SharedLogOutcome {
    guard !isLeftAlone else { return .written }
    let lock = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { Self.release(lock) }
    let isFull = lines + records.count > 2 * count + Self.slack
    if !isFull, Self.holds(lock, LOCK_SH), append(records) { return .written }
    guard Self.holds(lock, LOCK_EX) else {
      // Where others are just appending, so may this one; some other change finds the moment for a new file.
      guard lock >= 0 else { return .failed }
      return isFull && Self.holds(lock, LOCK_SH) && append(records) ? .written : .locked
    }
    if let news = news() { merge(news) }
    // A file that cannot be read just now is not lost: no file takes its place.
    return isLeftAlone || !isUnread && replace(with: entries()) ? .written : .failed
  }

  /// True if the caller may write: it got the lock, or the file system has none, so that no process can get one.
  private static func holds(_ descriptor: Int32, _ kind: Int32) -> Bool {
    guard descriptor >= 0 else { return false }
    return flock(descriptor, kind | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR)
  }

  /// Gives the lock back: a child that the program has just forked has the descriptor as well, and would keep the lock.
  private static func release(_ descriptor: Int32) {
    guard descriptor >= 0 else { return }
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// One write, behind whatever others wrote. False where there is no file of ours yet, or the disk takes nothing.
  private mutating func append(_ records: [Record]) -> Bool {
    guard let before = known, !isEarlier else { return false }
    let descriptor = unsafe open(path, O_RDWR | O_APPEND | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, before.isOf(status) else { return false }
    // A full disk may have cut the last line; it must not swallow the next one.
    let last = BoundedRead.bytes(descriptor, from: max(0, Int64(status.st_size) - 1), count: 1)
    let bytes = (last == [10] ? [] : [10]) + records.flatMap(Self.line)
    guard AtomicFile.write(bytes, to: descriptor) else { return false }
    // Where another process wrote since this one read, also just now, all is read from there, this one's own lines among it.
    let end = before.end + Int64(bytes.count)
    if unsafe fstat(descriptor, &status) == 0, Int64(status.st_size) == end {
      lines += records.count
      known?.end = end
    }
    return true
  }

  /// Puts a file with these alone in the place of the one there is; or only where there is none.
  mutating func replace(with records: [Record], onlyWhereNone: Bool = false) -> Bool {
    let bytes = Array(Self.header.utf8) + records.flatMap(Self.line)
    guard let status = AtomicFile.put(bytes, at: path, onlyWhereNone: onlyWhereNone) else { return false }
    (isEarlier, lines, known) = (false, records.count, Known(status, Int64(bytes.count)))
    held = HeldFile(path)
    if let present = held?.status, known?.isOf(present) == true { return true }
    held = nil
    return true
  }

  // MARK: - What is no such file

  /// Renames it with `.damaged`, `-2` or `-3` behind its name, so that nothing of it is lost; `status` is what was looked at:
  /// another process may have put it aside meanwhile, and its own file in that place.
  private mutating func putAside(_ status: stat? = nil) {
    (known, held) = (nil, nil)
    var present = stat()
    if let status {
      guard unsafe stat(path, &present) == 0, (present.st_dev, present.st_ino) == (status.st_dev, status.st_ino)
      else { return }
    }
    let names = (1...Self.asideLimit).map { path + ".damaged" + ($0 == 1 ? "" : "-\($0)") }
    let free = names.first { unsafe lstat($0, &present) != 0 && errno == ENOENT }
    guard let name = free ?? names.last, unsafe rename(path, name) == 0 else { return }
    URLLoadingLog.say(
      .warning, Format.owner, "\(path) is no file of \(Format.contents): it is \(name) now.")
  }
}

extension SharedLogFormat {
  static func earlier(_ bytes: [UInt8]) -> [Record]? { nil }
}
