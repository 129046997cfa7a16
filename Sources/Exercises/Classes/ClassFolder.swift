// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LessonKit

/// A class's hand-ins in one folder: each entry, be it a folder, a file or an archive, is that of one student. Hidden
/// entries and what a Mac adds to archives are left out, and so is Gradescope's list of its submissions. Where a learning
/// platform names several entries after one student, they are one hand-in.
///
/// A student chooses names of files. Whose a hand-in is, the platform's own part of the name says alone; where that part can
/// be read in more than one way, the hand-in is nobody's until a person has looked at it.
public struct ClassFolder: Sendable {
  /// The hand-ins, by name.
  public let handIns: [HandIn]
  /// Where copies of hand-ins lie whose names are no text, as long as the class is in use.
  private let copies: TemporaryFolder?

  /// The hand-ins in `folder`, which errors call by `name`, without the entries at these paths, which are the teacher's own. `platform` is the one whose
  /// gradebook is to be filled; `students` are those of Canvas's, by id, in its form.
  ///
  /// - Throws: `LessonKitError` with code `unreadable` when it is no folder, or holds nothing; with code `environment` when a
  ///   copy cannot be made.
  public init(
    _ folder: URL, called name: String? = nil, without own: [String] = [], platform: LearningPlatform? = nil,
    students: [String: String] = [:]
  ) throws(LessonKitError) {
    guard let all = ByteEntry.list(Array(folder.path.utf8)) else {
      throw LessonKitError(
        .unreadable, "“\(folder.path)” is no folder that can be read. Name the folder with the hand-ins of the class.")
    }
    let owned = Set(own.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path })
    let entries = all.filter { entry in
      guard let name = entry.text else { return true }
      let place = folder.appendingPathComponent(name)
      return !HandInContents.isHidden(name) && !(name == "submission_metadata.yml" && entry.kind == .file)
        && owned.isDisjoint(with: [place.path, place.resolvingSymlinksInPath().path])
    }
    guard !entries.isEmpty else {
      throw LessonKitError(
        .unreadable, "“\(name ?? folder.path)” holds no hand-in. Name the folder with those of the class.")
    }
    let names = entries.map(\.readable)
    let platform = platform ?? (names.allSatisfy { !CanvasFileName.readings(of: $0).isEmpty } ? .canvas : nil)
    var (copies, named): (TemporaryFolder?, [NamedEntry]) = (nil, [])
    for (number, entry) in entries.enumerated() {
      var place = folder.appendingPathComponent(entry.readable)
      if entry.isUnreadable() {
        let home = if let copies { copies } else { try TemporaryFolder() }
        copies = home
        place = try ReadableCopy.copy(entry, in: home, numbered: number)
      }
      named.append(NamedEntry(place, isLink: entry.kind == .link, platform, students))
    }
    self.copies = copies
    handIns = Dictionary(grouping: named, by: \.name).values.map(Self.handIn).sorted { $0.name < $1.name }
  }

  private static func handIn(_ entries: [NamedEntry]) -> HandIn {
    let (kept, remark) = NamedEntry.latest(entries.sorted { $0.place.path < $1.place.path })
    let links = entries.filter(\.isLink)
    var handIn = HandIn(
      name: entries[0].name, places: links.isEmpty ? kept.map(\.place) : [], student: entries[0].student)
    handIn.platform = entries[0].platform
    handIn.isLate = kept.contains { $0.canvas?.isLate == true }
    handIn.remark = remark
    handIn.doubt = entries[0].doubt
    if !links.isEmpty { handIn.doubt = "it is a symbolic link, which is not followed" }
    return handIn
  }
}

/// An entry of a class's folder, with what its name says.
private struct NamedEntry {
  let place: URL
  let isLink: Bool
  var name: String
  var student: String?
  var platform: LearningPlatform?
  var canvas: CanvasFileName?
  var doubt = Phrase.empty

  init(_ place: URL, isLink: Bool, _ platform: LearningPlatform?, _ students: [String: String]) {
    (self.place, self.isLink, name) = (place, isLink, place.lastPathComponent)
    switch platform {
    case .canvas: readCanvas(students)
    case .moodle, nil:
      if let file = MoodleFileName(name) {
        (student, self.platform) = (file.student, .moodle)
        name = "\(file.who)_\(file.student)"
      } else if platform == .moodle, MoodleFileName.isWithin(name) {
        doubt = "the name does not say for certain whose it is"
      }
    }
  }

  /// Of several readings that one is right whose student has that name in the gradebook.
  private mutating func readCanvas(_ students: [String: String]) {
    let all = CanvasFileName.readings(of: name)
    let right = all.count == 1 ? all : all.filter { students[$0.student] == $0.who }
    guard right.count == 1 else {
      if all.count > 1, !students.isEmpty {
        doubt = "by its name it may be of these students: \(all.map(\.student).joined(separator: ", "))"
      }
      return
    }
    (student, platform, canvas) = (right[0].student, .canvas, right[0])
    name = "\(right[0].who)_\(right[0].student)"
  }

  /// The entries without former versions of a file, where Canvas's numbers leave no doubt which one is the last: the first has
  /// its own name, and each later one a higher number of both kinds. It says what counts then.
  static func latest(_ entries: [NamedEntry]) -> (kept: [NamedEntry], remark: Phrase) {
    var (kept, remark) = (entries, Phrase.empty)
    let versions = Dictionary(grouping: entries.compactMap(\.canvas)) { $0.version.base }
    for files in versions.values where files.count > 1 {
      let order = files.sorted { $0.version.number < $1.version.number }
      let isSure =
        order[0].version.number == 0
        && zip(order, order.dropFirst()).allSatisfy { $0.version.number < $1.version.number && $0.number < $1.number }
      guard isSure, let last = order.last else { continue }
      kept.removeAll { entry in entry.canvas.map { $0 != last && files.contains($0) } ?? false }
      remark = "“\(FileNames.printable(last.file))” is the last of \(files.count) versions and counts"
    }
    return (kept, remark)
  }
}
