// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import HTTPRules

/// The folder in which the processes of one program keep responses: a file for each, and an index that says which there are.
///
/// A file is replaced and goes as a whole; it is written before the index says so, and what the index says of a file that is not
/// there, or is damaged, is a miss. Every call but `init` may block. Not thread-safe.
struct CacheFolder {
  private let url: URL
  private let folder: String
  private var log: CacheLog
  private var isPrepared = false
  private(set) var isTidy = false
  /// Files that were read and whose use no line records yet.
  private var used: [CacheFile] = []
  /// The records that could not be written yet.
  private var pending: [CacheLog.Record] = []
  /// When that is tried again, since it failed.
  private var retry = WriteRetry()
  private static let limit = 10_000
  static let indexName = "index"

  init(_ url: URL) {
    (self.url, folder) = (url, url.path)
    log = CacheLog(URL(fileURLWithPath: url.path + "/" + Self.indexName))
  }

  /// True if the folder is a later version's.
  var isLeftAlone: Bool { log.isLeftAlone }
  /// True if something could not be recorded yet, and whether it is time to try that again.
  var hasPending: Bool { !pending.isEmpty }
  var isDue: Bool { hasPending && retry.isDue() }

  /// The timer of `record` has run out.
  mutating func timeCame() { retry.timeCame() }

  private func path(_ file: CacheFile) -> String { folder + "/" + file.name }

  // MARK: - Reading

  /// Reads the records of other processes since the last call, and behind them those that this one could not write.
  mutating func news() -> CacheLog.News? { log.news().map { Self.with(pending, $0) } }

  private static func with(_ own: [CacheLog.Record], _ news: CacheLog.News) -> CacheLog.News {
    CacheLog.News(isWhole: news.isWhole, records: news.records + own, isRemoved: news.isRemoved)
  }

  /// Reads the response in a file of at most `limit` bytes; nil for one that is not there or was damaged, which is removed.
  mutating func read(_ file: CacheFile, limit: Int) -> StoredResponse? {
    guard let bytes = BoundedRead.bytes(of: path(file), limit: Int64(limit), isOwn: true) else { return nil }
    guard let found = ResponseFile.response(bytes), found.head.selectors == file.selectors else {
      remove([file])
      return nil
    }
    if used.count < Self.limit { used.append(file) }
    return found
  }

  // MARK: - Writing

  /// Writes a response that was stored at that time, and answers its entry; nil where the disk does not take it.
  mutating func write(_ stored: StoredResponse, at time: Int64) -> CacheIndex<CacheFile>.Entry? {
    guard prepare() else { return nil }
    let file = CacheFile(stored.head.key.resource, stored.head.selectors)
    let bytes = ResponseFile.bytes(stored)
    guard put(bytes, at: path(file)) else { return nil }
    return .init(file, selectors: file.selectors, size: Self.space(for: bytes.count), stored: time)
  }

  /// The bytes of the disk that a file with so many takes: file systems give it whole blocks.
  static func space(for count: Int) -> Int { (count + block - 1) / block * block }

  private static let block = 4096

  private mutating func put(_ bytes: [UInt8], at path: String) -> Bool {
    if AtomicFile.putNew(bytes, at: path) || AtomicFile.put(bytes, at: path) != nil { return true }
    // Whoever removed the folder removed the responses; the next ones get another.
    guard unsafe access(url.path, F_OK) != 0 else { return false }
    isPrepared = false
    return prepare() && AtomicFile.put(bytes, at: path) != nil
  }

  func remove(_ files: [CacheFile]) {
    for file in files { unsafe unlink(path(file)) }
  }

  /// Records changes behind what others recorded, or, where the index says more of what is past, makes a new one of `entries`
  /// once `merge` was given what others recorded, and the changes behind it. Returns the pause until a timer tries again what
  /// could not be written; nil for no timer.
  mutating func record(
    _ records: [CacheLog.Record], besides count: Int, all entries: () -> [CacheLog.Record],
    merge: (CacheLog.News) -> Void
  ) -> Duration? {
    guard prepare() else { return nil }
    pending += used.map { .used($0) } + records
    used = []
    let own = pending
    let outcome = log.write(own, besides: count, all: entries) { merge(Self.with(own, $0)) }
    if outcome == .written || pending.count > Self.limit { pending = [] }
    return retry.pause(after: outcome)
  }

  // MARK: - The folder

  /// Makes the folder with mode 0700 where it is missing, and leaves the mode of an existing one alone. False where the system
  /// makes none, or a later version of this library owns it.
  private mutating func prepare() -> Bool {
    if isPrepared { return !isLeftAlone }
    try? FileManager.default.createDirectory(
      atPath: url.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    var status = stat()
    guard unsafe stat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
    isPrepared = true
    return !isLeftAlone
  }

  /// Removes responses that are not among `files`, and what writers left that were killed.
  mutating func tidyUp(_ files: Set<String>) {
    isTidy = true
    guard !isLeftAlone else { return }
    LeftoverFiles.remove(in: url) { CacheFile.isName($0) && !files.contains($0) }
  }
}

extension CacheIndex<CacheFile> {
  /// Takes in what other processes recorded. Answers the resources of which something else is stored now: what this process did
  /// itself, and reads again, is no change.
  mutating func take(_ news: CacheLog.News) -> Set<UInt64> {
    guard news.isWhole else { return take(news.records) }
    let before = dates
    self = CacheIndex()
    _ = take(news.records)
    let now = dates
    let (gone, new) = (before.keys.filter { now[$0] != before[$0] }, now.keys.filter { before[$0] == nil })
    return Set((gone + new).map(\.resource))
  }

  private mutating func take(_ records: [CacheLog.Record]) -> Set<UInt64> {
    var changed: Set<UInt64> = []
    for record in records {
      switch record {
      case .stored(let file, let size, let stored):
        // Earlier versions recorded the bytes alone.
        let space = CacheFolder.space(for: size)
        let old = put(.init(file, selectors: file.selectors, size: space, stored: stored), for: file.resource)
        if old?.value != file || old?.stored != stored { changed.insert(file.resource) }
      case .used(let file): _ = use(file.resource) { $0 == file.selectors }
      case .gone(let file):
        let old = take(from: file.resource) { $0.selectors == file.selectors }
        if !old.isEmpty { changed.insert(file.resource) }
      }
    }
    return changed
  }

  /// When each file was stored.
  private var dates: [CacheFile: Int64] {
    entries.reduce(into: [:]) { $0[$1.entry.value] = $1.entry.stored }
  }

  /// The records of a new index.
  var records: [CacheLog.Record] {
    entries.map { .stored($0.entry.value, size: $0.entry.size, stored: $0.entry.stored) }
  }
}
