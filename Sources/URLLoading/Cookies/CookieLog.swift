// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc
import HTTPRules

/// The file in which a store keeps the cookies that outlive the process, for all processes of one program.
///
/// The first line names the version. Each further line records that a cookie was stored or removed, and begins with the first
/// eight digits of the SHA-256 of its text. A process records a change by appending a line with one write; before it chooses
/// cookies, every process reads the lines that others appended. When most lines record what later ones replaced, the next
/// process that writes replaces the file by one with a line for each cookie. To append, a process takes a shared lock on the
/// folder, to replace the file an exclusive one. No process waits for a lock: it writes with its next change what it could not
/// write before.
///
/// What is damaged is a line less. A file of a later version is neither read nor written; what is no such file is put aside.
/// No `fsync`: a store may lose what was set just before the power went, and nothing else. Not thread-safe.
struct CookieLog {
  /// One line.
  struct Record: Codable, Equatable {
    /// The cookie as it was stored; of one that was removed, the cookie there was.
    var facts: CookieFacts
    var lastUse: UInt64 = 0
    var isRemoved = false

    var key: CookieTable.Key { CookieTable.Key(facts) }
  }

  /// What others wrote.
  struct News: Equatable {
    /// Whether these are all there is, in place of what was read before.
    var isWhole: Bool
    var records: [Record]
  }

  /// Bytes of the largest file that is read; 3000 cookies of 4 KiB take half of it.
  static let sizeLimit: Int64 = 32 << 20
  static let header = "workbench-cookies 1\n"
  private static let family = "workbench-cookies "
  /// How many files that were put aside are kept; from then on the last one gives way.
  static let asideLimit = 3
  /// Lines of what is past that a file may have besides as many as there are cookies.
  private static let slack = 200

  let file: URL
  /// The file that was read, and how far.
  private var known: (device: dev_t, number: ino_t, end: Int64)?
  private var lines = 0
  /// Whether that is a list of before this format: the first change puts a file of ours in its place.
  private var isEarlier = false
  /// Whether the file is another's, or of a later version: it is left alone.
  private(set) var isLeftAlone = false

  init(_ file: URL) { self.file = file }

  // MARK: - Reading

  /// What was written since the last call; nil for nothing. Costs one call of the system where nothing was. May block.
  mutating func news() -> News? {
    guard !isLeftAlone else { return nil }
    var status = stat()
    guard unsafe stat(file.path, &status) == 0 else {
      // Whoever removed the file removed the cookies.
      guard errno == ENOENT, known != nil else { return nil }
      known = nil
      return News(isWhole: true, records: [])
    }
    if let known, known.device == status.st_dev, known.number == status.st_ino, known.end == Int64(status.st_size) {
      return nil
    }
    return read()
  }

  private mutating func read() -> News? {
    let descriptor = unsafe open(file.path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    var status = stat()
    guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0 else {
      if [EACCES, ELOOP, ENXIO, EIO].contains(errno) { putAside() }
      return nil
    }
    defer { close(descriptor) }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.sizeLimit else {
      putAside(status)
      return nil
    }
    let isSame =
      known?.device == status.st_dev && known?.number == status.st_ino && known?.end ?? 0 <= Int64(status.st_size)
    let start = isSame ? known?.end ?? 0 : 0
    guard let bytes = Self.bytes(descriptor, from: start, count: status.st_size - Int(start)) else { return nil }
    if start == 0, let earlier = EarlierCookies.records(in: bytes) {
      (isEarlier, lines, known) = (true, 0, (status.st_dev, status.st_ino, Int64(bytes.count)))
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
    known = (status.st_dev, status.st_ino, start + Int64(end))
    return News(isWhole: start == 0, records: records)
  }

  /// Whether a file that begins so is one of ours. A damaged first line is a line less, where another one is whole.
  private mutating func accepts(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: Self.header.utf8) { return true }
    if bytes.starts(with: Self.family.utf8), let line = bytes.split(separator: 10, maxSplits: 1).first,
      let version = Int(String(decoding: line.dropFirst(Self.family.utf8.count), as: UTF8.self)), version > 1
    {
      isLeftAlone = true
      URLLoadingLog.say(
        .warning, "HTTPCookieStorage",
        "\(file.path) has version \(version), and this library knows 1: cookies of this process are kept in memory alone."
      )
      return false
    }
    return bytes.split(separator: 10).contains { Self.record($0) != nil }
  }

  /// All bytes of a file, where it is one and not too large. May block.
  static func content(of file: URL) -> [UInt8]? {
    let descriptor = unsafe open(file.path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= sizeLimit else {
      return nil
    }
    return bytes(descriptor, from: 0, count: Int(status.st_size))
  }

  private static func bytes(_ descriptor: Int32, from start: Int64, count: Int) -> [UInt8]? {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = unsafe pread(
          descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled, Int(start) + filled)
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { return }
        filled += got
      }
    }
    return bytes.count == count ? bytes : nil
  }

  // MARK: - Lines

  /// What a line says, without its end; nil for one that is damaged, and for the first.
  static func record(_ line: some Collection<UInt8>) -> Record? {
    guard line.count > 9 else { return nil }
    let rest = line.dropFirst(9)
    guard line.dropFirst(8).first == 32, String(decoding: line.prefix(8), as: UTF8.self) == mark(Array(rest)),
      let record = try? JSONDecoder().decode(Record.self, from: Data(rest)), record.isSound
    else { return nil }
    return record
  }

  /// The line that says it, with its end.
  static func line(_ record: Record) -> [UInt8] {
    guard let json = try? JSONEncoder().encode(record), let mark = mark([UInt8](json)) else { return [] }
    return Array("\(mark) ".utf8) + json + [10]
  }

  private static func mark(_ bytes: [UInt8]) -> String? {
    MessageDigest.sha256.hex(bytes).map { String($0.prefix(8)) }
  }

  // MARK: - Writing

  /// Writes these behind what others wrote; where the file, which has `count` cookies, says more of what is past than of them, a
  /// new one with `entries` in its place, once `merge` was given what others wrote. False where that is not possible just now.
  /// May block, but for no other process.
  mutating func write(
    _ records: [Record], besides count: Int, all entries: () -> [Record], merge: (News) -> Void
  ) -> Bool {
    guard !isLeftAlone else { return true }
    let folder = file.deletingLastPathComponent().path
    let lock = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if lock >= 0 { close(lock) } }
    let isFull = lines + records.count > 2 * count + Self.slack
    if !isFull, Self.holds(lock, LOCK_SH), append(records) { return true }
    guard Self.holds(lock, LOCK_EX) else { return false }
    if let news = news() { merge(news) }
    return isLeftAlone || replace(with: entries())
  }

  /// Whether the caller may write: it got the lock, or the file system has none, so that no process can get one.
  private static func holds(_ descriptor: Int32, _ kind: Int32) -> Bool {
    guard descriptor >= 0 else { return false }
    return flock(descriptor, kind | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR)
  }

  /// One write, behind whatever others wrote. False where there is no file of ours yet, or the disk takes nothing.
  private mutating func append(_ records: [Record]) -> Bool {
    guard let before = known, !isEarlier else { return false }
    let descriptor = unsafe open(file.path, O_RDWR | O_APPEND | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, (status.st_dev, status.st_ino) == (before.device, before.number)
    else {
      return false
    }
    // A full disk may have cut the last line; it must not swallow the next one.
    let last = Self.bytes(descriptor, from: max(0, Int64(status.st_size) - 1), count: 1)
    let bytes = (last == [10] ? [] : [10]) + records.flatMap(Self.line)
    guard Self.write(bytes, to: descriptor) else { return false }
    lines += records.count
    // Where another process wrote meanwhile, all is read from where this one stood, its own lines among it.
    if Int64(status.st_size) == before.end { known?.end += Int64(bytes.count) }
    return true
  }

  /// Puts a file with these alone in the place of the one there is; or only where there is none.
  mutating func replace(with records: [Record], onlyWhereNone: Bool = false) -> Bool {
    // Named like the toolchain's, so that one of a killed process is removed later.
    let number = String(getpid(), radix: 16)
    var template = Array((file.deletingLastPathComponent().path + "/.dat.nosync\(number).XXXXXX").utf8CString)
    let descriptor = unsafe workbench_make_file(&template, 0)
    guard descriptor >= 0 else { return false }
    var status = stat()
    let bytes = Array(Self.header.utf8) + records.flatMap(Self.line)
    let isWhole = unsafe Self.write(bytes, to: descriptor) && fstat(descriptor, &status) == 0
    close(descriptor)
    defer { unsafe unlink(template) }
    guard isWhole, onlyWhereNone ? Self.put(template, at: file) : unsafe rename(template, file.path) == 0 else {
      return false
    }
    (isEarlier, lines) = (false, records.count)
    known = (status.st_dev, status.st_ino, Int64(bytes.count))
    return true
  }

  /// Some file systems have no links.
  private static func put(_ path: [CChar], at file: URL) -> Bool {
    unsafe link(path, file.path) == 0 || errno != EEXIST && rename(path, file.path) == 0
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var done = 0
    return unsafe bytes.withUnsafeBytes { bytes in
      while done < bytes.count {
        let count = unsafe workbench_write_within_limit(
          descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
  }

  // MARK: - What is no such file

  /// Renames it to `jar.damaged`, `-2` or `-3` beside it, so that nothing of it is lost; `status` is what was looked at: another
  /// process may have put it aside meanwhile, and its own file in that place.
  private mutating func putAside(_ status: stat? = nil) {
    known = nil
    var present = stat()
    if let status {
      guard unsafe stat(file.path, &present) == 0, (present.st_dev, present.st_ino) == (status.st_dev, status.st_ino)
      else { return }
    }
    let names = (1...Self.asideLimit).map { file.path + ".damaged" + ($0 == 1 ? "" : "-\($0)") }
    let free = names.first { unsafe lstat($0, &present) != 0 && errno == ENOENT }
    guard let name = free ?? names.last, unsafe rename(file.path, name) == 0 else { return }
    URLLoadingLog.say(.warning, "HTTPCookieStorage", "\(file.path) is no file of cookies: it is \(name) now.")
  }
}

extension CookieLog.Record {
  /// Whether the rules can have made it: a checksum says nothing about who wrote a line.
  fileprivate var isSound: Bool {
    !facts.name.isEmpty && !facts.domain.isEmpty && facts.created.timeIntervalSinceReferenceDate.isFinite
      && facts.expires?.timeIntervalSinceReferenceDate.isFinite != false
  }
}
