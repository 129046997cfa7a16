// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Glibc
import LessonKit

/// The compiled programs, so that an unchanged file is not compiled again.
///
/// It lies in the folder `workbench` below XDG_CACHE_HOME, or below `~/.cache` where that is not set. A program is found
/// by its source and by the build that it was compiled for; both are kept beside it and compared as a whole. A program that
/// is in use stays, see `ProgramHold`. Removing the folder while no process uses it costs time only.
public struct ProgramCache: Sendable, Hashable {
  /// The parts of a compiled program, which is there for as long as its hold lives.
  struct Entry: Hashable {
    static let (program, source, build, warnings) = ("program", "source", "build", "warnings")
    static let (object, finding) = ("program.o", "finding")
    private static let list = "modules"
    var folder: URL
    var hold: ProgramHold
    var executable: String { folder.appendingPathComponent(Self.program).path }
    /// The remarks of the compiler when it compiled the program.
    var remarks: String { ProgramCache.text(folder, Self.warnings) ?? "" }

    /// The content of its object file that no exercise may have; nil where there is nothing of the kind.
    var finding: ObjectRule.Finding? { ProgramCache.text(folder, Self.finding).map(ObjectRule.Finding.init) }

    /// The modules that the compiler found its source to import; nil where they were not noted.
    var modules: Set<String>? {
      ProgramCache.text(folder, Self.list).map { Set($0.split(whereSeparator: \.isNewline).map(String.init)) }
    }

    /// Notes those modules where they are not noted. Where the folder takes no more, the compiler makes the list anew
    /// the next time.
    func note(_ modules: Set<String>) {
      guard self.modules == nil else { return }
      try? Data(modules.sorted().joined(separator: "\n").utf8).write(
        to: folder.appendingPathComponent(Self.list), options: .atomic)
    }
  }

  /// The kind of programs that are kept: persons' own programs, or the lessons' examples compiled for the toolchain's column.
  enum Kind: String, Sendable {
    case programs
    case toolchain
  }

  /// How many programs are kept where `variable` does not say so, and for how long an interrupted compilation's folder.
  static let capacity = 32
  /// Says in the environment how many are kept, 1 to 10,000: who checks a course, or grades a class more than once.
  static let variable = "WORKBENCH_KEPT_PROGRAMS"
  private static let patience = 3600.0
  static let workPrefix = "work-"

  /// The folder of the cache.
  public let folder: URL
  /// The kind of programs that are kept here.
  var kind = Kind.programs
  private let capacity: Int

  /// The cache that the environment names.
  public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 + "/.cache" }
    // A relative path is to be ignored (XDG Base Directory Specification).
    let place = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let parent = place ?? home ?? FileManager.default.temporaryDirectory.path
    folder = URL(fileURLWithPath: parent, isDirectory: true).appendingPathComponent("workbench", isDirectory: true)
    let named = environment[Self.variable].flatMap(Int.init) ?? Self.capacity
    capacity = (1...10_000).contains(named) ? named : Self.capacity
  }

  /// The same cache for what else is kept.
  func keeping(_ kind: Kind) -> ProgramCache {
    var copy = self
    copy.kind = kind
    return copy
  }

  /// Where the compiler keeps what it made of the system's modules.
  var modules: URL { folder.appendingPathComponent("modules", isDirectory: true) }
  private var programs: URL { folder.appendingPathComponent(kind.rawValue, isDirectory: true) }

  /// The program of this source for this build, if it is there.
  func find(_ source: String, build: String) -> Entry? {
    let folder = place(of: source, build)
    guard let hold = ProgramHold(folder) else { return nil }
    let entry = Entry(folder: folder, hold: hold)
    guard Self.isOwn(entry.folder.path, S_IFDIR), Self.isOwn(entry.executable, S_IFREG),
      Self.text(entry.folder, Entry.source) == source, Self.text(entry.folder, Entry.build) == build,
      access(entry.executable, X_OK) == 0
    else { return nil }
    try? FileManager.default.setAttributes([.modificationDate: Date.now], ofItemAtPath: entry.folder.path)
    return entry
  }

  /// A new, empty folder to compile in.
  ///
  /// - Throws: `LessonKitError` with code `environment`.
  func makeWorkFolder() throws(LessonKitError) -> URL {
    let work = programs.appendingPathComponent(Self.workPrefix + UUID().uuidString, isDirectory: true)
    do {
      try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
      // Programs of others lie here, and their sources: nobody else reads them, whatever the mask for new files is.
      chmod(folder.path, 0o700)
      try FileManager.default.createDirectory(
        at: work, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw cannotWrite(error.localizedDescription)
    }
    return work
  }

  /// Takes over a work folder in which the program lies; the oldest programs make room for it. Where another process has
  /// compiled the same meanwhile, its program is the answer, and the work folder is left as it is.
  ///
  /// - Throws: `LessonKitError` with code `environment`.
  func keep(_ work: URL, _ source: String, build: String, warnings: String) throws(LessonKitError) -> Entry {
    do {
      for (name, text) in [(Entry.source, source), (Entry.build, build), (Entry.warnings, warnings)] {
        try Data(text.utf8).write(to: work.appendingPathComponent(name))
      }
    } catch {
      throw cannotWrite(error.localizedDescription)
    }
    // A sandbox may start it as another user, whatever the mask for new files is.
    chmod(work.appendingPathComponent(Entry.program).path, 0o755)
    guard let hold = ProgramHold.made(in: work) else { throw cannotWrite(String(cString: strerror(errno))) }
    let place = place(of: source, build)
    if rename(work.path, place.path) == 0 { return added(Entry(folder: place, hold: hold)) }
    if let other = find(source, build: build) { return other }
    ProgramHold.whenFree(place) { try? FileManager.default.removeItem(at: place) }
    if rename(work.path, place.path) == 0 { return added(Entry(folder: place, hold: hold)) }
    // A program of the same checksum is in use; no later search finds this one.
    let beside = place.appendingPathExtension(UUID().uuidString)
    guard rename(work.path, beside.path) == 0 else { throw cannotWrite(String(cString: strerror(errno))) }
    return added(Entry(folder: beside, hold: hold))
  }

  private func added(_ entry: Entry) -> Entry {
    makeRoom()
    return entry
  }

  /// Removes the programs that were used the longest ago, but none that a process uses.
  private func makeRoom() {
    let keys: Set<URLResourceKey> = [.contentModificationDateKey]
    let all =
      (try? FileManager.default.contentsOfDirectory(at: programs, includingPropertiesForKeys: Array(keys))) ?? []
    let dated = all.map { ($0, (try? $0.resourceValues(forKeys: keys).contentModificationDate) ?? .distantPast) }
      .sorted { $0.1 > $1.1 }
    let (work, kept) = (dated.filter { isWork($0.0) }, dated.filter { !isWork($0.0) })
    let old = work.filter { $0.1.timeIntervalSinceNow < -Self.patience }
    for (url, _) in kept.dropFirst(kind == .programs ? capacity : 2 * capacity) + old {
      ProgramHold.whenFree(url) { try? FileManager.default.removeItem(at: url) }
    }
  }

  private func isWork(_ url: URL) -> Bool { url.lastPathComponent.hasPrefix(Self.workPrefix) }

  /// The folder for a source and a build, named by a checksum of both (FNV-1a).
  private func place(of source: String, _ build: String) -> URL {
    let sum = (source + "\0" + build).utf8.reduce(14_695_981_039_346_656_037 as UInt64) { sum, byte in
      (sum ^ UInt64(byte)) &* 1_099_511_628_211
    }
    return programs.appendingPathComponent(String(sum, radix: 16), isDirectory: true)
  }

  /// True if it is this user's, of this kind and no link, and no other user may change it.
  private static func isOwn(_ path: String, _ kind: mode_t) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == kind && status.st_uid == geteuid()
      && status.st_mode & (S_IWGRP | S_IWOTH) == 0
  }

  private static func text(_ folder: URL, _ name: String) -> String? {
    try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  /// The error that the folder takes nothing.
  func cannotWrite(_ why: String) -> LessonKitError {
    LessonKitError(
      .environment,
      "Compiled programs are kept in \(folder.path), which cannot be written to: \(why). Free some space there, or set "
        + "XDG_CACHE_HOME to a folder that you may write to.")
  }
}
