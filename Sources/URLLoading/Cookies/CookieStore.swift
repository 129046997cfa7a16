// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import FoundationNetworking
import Glibc
import HTTPRules
import Locking
import Synchronization

/// The cookies of one store in memory, and those that outlive the process in a file. Any thread; only `choice(for:)` of a store
/// with a file never waits for a disk.
final class CookieStore: Sendable {
  private struct State {
    var table = CookieTable()
    /// The cookies of the file.
    var filed: Set<CookieTable.Key> = []
    /// The records that the file does not have yet.
    var pending: [CookieTable.Key: CookieLog.Record] = [:]
    /// The cookies as objects, those of the program's own among them.
    var objects: [CookieTable.Key: HTTPCookie] = [:]
    var policy = HTTPCookie.AcceptPolicy.always
    var lastTick: UInt64 = 0
  }

  /// The file. A thread holds the lock of `disk` while it reads or writes the file, and takes the lock of `state` only for the moment
  /// in which it changes the table. So a load that reads the table never waits for the file.
  private struct Disk {
    /// Makes ready the folder of the file and names that, at the first use.
    var opening: (@Sendable () -> URL)?
    var log: CookieLog?
    /// When what could not be written is tried again.
    var retry = WriteRetry()
  }

  private let state = Locked(State())
  private let disk: Locked<Disk>?
  private let watch = Locked<FileWatch?>(nil)
  private let isLooking = Atomic(false)
  /// How many loads wait for what the file has.
  private let waiting = Atomic(0)
  /// Where loads wait for the disk, and where a program's own methods and observers of notifications are called.
  let queue = DispatchQueue(label: "URLLoading.cookies")
  /// True if there may be a cookie: without one and without a file, a request asks for nothing else.
  private let mayHaveAny: Atomic<Bool>

  /// A store in memory.
  init() {
    disk = nil
    mayHaveAny = Atomic(false)
  }

  /// A store with a file, in a folder that is there when `opening` has returned. That is called at the first use, and may block.
  init(opening: @escaping @Sendable () -> URL) {
    disk = Locked(Disk(opening: opening))
    mayHaveAny = Atomic(true)
  }

  /// Runs `body` on the cookies as they are now, also by what other processes wrote.
  private func withNews<Result>(_ body: (inout State) -> sending Result) -> sending Result {
    guard let disk else { return state.withLock { body(&$0) } }
    return disk.withLock { disk in
      if let opening = disk.opening.take() {
        let file = opening()
        disk.log = CookieLog(file)
        watch.withLock { $0 = FileWatch(file.path) }
        CookieFlush.keep(self)
      }
      look(&disk)
      let result = state.withLock { body(&$0) }
      flush(&disk)
      return result
    }
  }

  /// Takes in what other processes wrote.
  private func look(_ disk: inout Disk) {
    watch.withLock { $0 }?.willLook()
    if let news = disk.log?.news() { state.withLock { Self.apply(news, &$0) } }
  }

  private static func apply(_ news: CookieLog.News, _ state: inout State) {
    if news.isWhole {
      state.filed = []
      // A cookie that is in no file any more, and was, another process has removed.
      let named = Set(news.records.map(\.key))
      for entry in Array(state.table.entries) where entry.facts.isPersistent {
        let key = CookieTable.Key(entry.facts)
        if !named.contains(key), state.pending[key] == nil { remove(key, &state) }
      }
    }
    for record in news.records {
      note(record, &state)
      guard state.pending[record.key] == nil else { continue }
      if record.isRemoved {
        // One that goes with this process's session is in no file: the line speaks of the one that it replaced.
        if state.table.entry(record.key)?.facts.isPersistent == true { remove(record.key, &state) }
      } else if state.table.entry(record.key)?.facts != record.facts {
        state.table.put(CookieTable.Entry(record.facts, lastUse: record.lastUse))
        state.objects[record.key] = nil
      }
    }
  }

  /// Notes the effect of a line on the cookies of the file.
  private static func note(_ record: CookieLog.Record, _ state: inout State) {
    if record.isRemoved { state.filed.remove(record.key) } else { state.filed.insert(record.key) }
  }

  private static func remove(_ key: CookieTable.Key, _ state: inout State) {
    state.table.remove(key)
    state.objects[key] = nil
  }

  /// Takes changes of the table into the file. A cookie that goes with the session leaves it.
  private func keep(_ changes: CookieTable.Changes, _ state: inout State) {
    guard disk != nil else { return }
    let removals = changes.remove.map { CookieLog.Record(facts: $0, isRemoved: true) }
    let others = changes.store.map {
      CookieLog.Record(facts: $0.facts, lastUse: $0.lastUse, isRemoved: !$0.facts.isPersistent)
    }
    for record in removals + others {
      let isWanted = !record.isRemoved || state.filed.contains(record.key)
      state.pending[record.key] = isWanted ? record : nil
    }
  }

  /// Writes the pending records. Only a thread that holds the lock of `disk` adds to them.
  private func flush(_ disk: inout Disk, always: Bool = false) {
    let (records, count) = state.withLock { ($0.pending.values.sorted { $0.lastUse < $1.lastUse }, $0.filed.count) }
    guard !records.isEmpty, disk.log != nil, always || disk.retry.isDue() else { return }
    let now = Date()
    let outcome = disk.log?.write(records, besides: count) {
      state.withLock { state in
        state.table.entries.filter { $0.facts.isPersistent && !$0.facts.hasExpired(at: now) }
          .map { CookieLog.Record(facts: $0.facts, lastUse: $0.lastUse) }
      }
    } merge: { news in
      state.withLock { Self.apply(news, &$0) }
    }
    guard let outcome else { return }
    if outcome == .written {
      state.withLock { state in
        for record in records { Self.note(record, &state) }
        state.pending = [:]
      }
      // The kernel gave a notice of this store's own write, too: this look takes it.
      look(&disk)
    }
    guard let pause = disk.retry.pause(after: outcome) else { return }
    queue.asyncAfter(deadline: .now() + pause / .seconds(1)) { [weak self] in self?.tryAgain() }
  }

  private func tryAgain() {
    disk?.withLock { disk in
      disk.retry.timeCame()
      flush(&disk, always: true)
    }
  }

  /// Writes what could not be written before.
  func flush() { disk?.withLock { flush(&$0, always: true) } }

  /// The first of so many new ticks: microseconds of the wall's clock, so that processes agree.
  private static func nextTick(_ count: Int, _ state: inout State) -> UInt64 {
    let tick = max(UInt64(max(0, Date().timeIntervalSince1970 * 1e6)), state.lastTick + 1)
    state.lastTick = tick + UInt64(count)
    return tick
  }
}

// MARK: - Loads

extension CookieStore {
  /// True if what is stored goes into a file.
  var hasFile: Bool { disk != nil }

  /// The value of the Cookie field for a request to `url` and nil for none, where memory knows what the file has; nil where the
  /// file has to be read first. Never waits for a disk.
  func choice(for url: URL) -> String?? {
    guard mayHaveAny.load(ordering: .acquiring) else { return .some(nil) }
    if hasFile {
      // Whoever comes behind loads that wait passes none of them.
      guard waiting.load(ordering: .relaxed) == 0, let watch = watch.withLock({ $0 }), !watch.mayHaveChanged else {
        return nil
      }
      if watch.isOld { lookBesides() }
    }
    return .some(state.withLock { Self.field(for: url, &$0) })
  }

  /// A load waits for what the file has from now on, or does so no more.
  func countWaiting(_ change: Int) { waiting.add(change, ordering: .relaxed) }

  /// Looks at the file while loads go on with what memory has.
  private func lookBesides() {
    guard !isLooking.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.async { [self] in
      withNews { _ in }
      isLooking.store(false, ordering: .releasing)
    }
  }

  /// The value of the Cookie field for a request to `url`; nil for none. May block.
  func field(for url: URL, at now: Date? = nil) -> String? {
    guard mayHaveAny.load(ordering: .acquiring) else { return nil }
    return withNews { Self.field(for: url, at: now, &$0) }
  }

  private static func field(for url: URL, at now: Date? = nil, _ state: inout State) -> String? {
    guard !state.table.isEmpty, let scope = CookieScope(url) else { return nil }
    let entries = state.table.matching(scope, at: now ?? Date())
    guard !entries.isEmpty else { return nil }
    state.table.use(entries, tick: nextTick(1, &state))
    return CookieFacts.field(of: entries.map(\.facts))
  }

  /// Stores what a response to a request for `url` sets, and answers whether anything changed. The parameters are those of
  /// `HTTPCookieStorage.receive`.
  func receive(
    _ fields: [String], from url: URL, mainDocument: URL?, policy: HTTPCookie.AcceptPolicy?, at now: Date = Date()
  ) -> Bool {
    let cookies = fields.prefix(CookieTable.fieldLimit).compactMap { SetCookie(latin1: $0) }
    guard !cookies.isEmpty, let scope = CookieScope(url) else { return false }
    return withNews { state in
      guard CookieRules.accepts(policy ?? state.policy, from: scope, mainDocument: mainDocument) else { return false }
      let tick = Self.nextTick(cookies.count, &state)
      let changes = state.table.receive(cookies, at: scope, now: now, tick: tick, isPublic: PublicSuffix.isPublic)
      return noted(changes, &state)
    }
  }

  private func noted(_ changes: CookieTable.Changes, _ state: inout State) -> Bool {
    guard !changes.isEmpty else { return false }
    for entry in changes.store { state.objects[CookieTable.Key(entry.facts)] = nil }
    for facts in changes.remove { state.objects[CookieTable.Key(facts)] = nil }
    mayHaveAny.store(true, ordering: .releasing)
    keep(changes, &state)
    return true
  }
}

// MARK: - Programs

extension CookieStore {
  var policy: HTTPCookie.AcceptPolicy { state.withLock { $0.policy } }

  /// Sets the policy, and answers whether it is another one.
  func setPolicy(_ new: HTTPCookie.AcceptPolicy) -> Bool {
    state.withLock { state in
      defer { state.policy = new }
      return state.policy != new
    }
  }

  /// All that have not expired, the oldest first.
  var cookies: [HTTPCookie] {
    withNews { state in
      let now = Date()
      return Self.objects(of: state.table.entries.filter { !$0.facts.hasExpired(at: now) }, &state)
    }
  }

  /// Those that go with a request to `url`, in the order of the field.
  func cookies(for url: URL) -> [HTTPCookie] {
    withNews { state in
      guard let scope = CookieScope(url) else { return [] }
      let entries = state.table.matching(scope, at: Date()).sorted { CookieFacts.precedes($0.facts, $1.facts) }
      return entries.compactMap { Self.object(of: $0, &state) }
    }
  }

  private static func objects(of entries: [CookieTable.Entry], _ state: inout State) -> [HTTPCookie] {
    let order = entries.sorted { ($0.facts.created, $0.facts.name) < ($1.facts.created, $1.facts.name) }
    return order.compactMap { object(of: $0, &state) }
  }

  private static func object(of entry: CookieTable.Entry, _ state: inout State) -> HTTPCookie? {
    let key = CookieTable.Key(entry.facts)
    if let known = state.objects[key] { return known }
    let made = StoredCookie(entry.facts)
    state.objects[key] = made
    return made
  }

  /// Stores a program's cookie as it is; one that has expired removes the one there is. Answers whether anything changed.
  func set(_ cookie: HTTPCookie) -> Bool {
    withNews { state in
      var facts = CookieFacts(cookie)
      let key = CookieTable.Key(facts)
      let old = state.table.entry(key)
      if facts.hasExpired(at: Date()) { return removed([key], &state) }
      facts.created = old?.facts.created ?? (cookie is StoredCookie ? facts.created : Date())
      let entry = CookieTable.Entry(facts, lastUse: Self.nextTick(1, &state))
      state.table.put(entry)
      let changes = CookieTable.Changes(store: facts == old?.facts ? [] : [entry])
      let isNew = noted(changes, &state)
      state.objects[key] = cookie
      return isNew
    }
  }

  /// Removes a cookie, and answers whether it was there.
  func remove(_ cookie: HTTPCookie) -> Bool {
    withNews { removed([CookieTable.Key(CookieFacts(cookie))], &$0) }
  }

  /// Removes those that were first stored at `date` or later.
  func removeAll(since date: Date = .distantPast) -> Bool {
    withNews { state in
      removed(state.table.entries.map(\.facts).filter { $0.created >= date }.map(CookieTable.Key.init), &state)
    }
  }

  private func removed(_ keys: [CookieTable.Key], _ state: inout State) -> Bool {
    noted(CookieTable.Changes(remove: keys.compactMap { state.table.remove($0)?.facts }), &state)
  }
}

/// Stores whose last changes must be in their files before the process ends.
private enum CookieFlush {
  private static let stores = Locked<[CookieStore]>([])

  private static let isArranged: Bool = {
    atexit {
      for store in CookieFlush.stores.withLock({ $0 }) { store.flush() }
    }
    return true
  }()

  /// Keeps a store that has a file for good: there is one for each file.
  static func keep(_ store: CookieStore) {
    _ = isArranged
    stores.withLock { $0.append(store) }
  }
}

extension CookieFacts {
  /// True if it outlives the process.
  fileprivate var isPersistent: Bool { expires != nil }
}
