// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// A file has the content that the server sends, at first or once its file has changed.
struct FileCheck: CheckKind {
  /// What a manifest may name, and how it is said; each is a body whose seed is greater by one than that of the one before.
  private static let contents: [(name: String, wanted: Phrase)] = [
    ("body", "the server's body, byte by byte"), ("secondVersion", "the server's new body, byte by byte"),
    ("thirdVersion", "the server's last body, byte by byte"),
  ]
  static let (name, keys, isOutside) = ("file", Set(["name", "content"]), true)
  let (file, version): (String, Int)
  init(_ map: ManifestNode) throws(LessonKitError) {
    let content = try map.find("content")?.text() ?? "body"
    guard let version = Self.contents.firstIndex(where: { $0.name == content }) else {
      throw map.wrong("a content is body, secondVersion or thirdVersion")
    }
    (file, self.version) = (try map.text("name"), version)
  }
  var title: Phrase { "the file “\(file)”" }
  var wanted: Phrase { Self.contents[version].wanted }

  func judge(_ facts: RunFacts) -> Judgement {
    guard let file = facts.run.files.first(where: { $0.path == file }) else {
      return Judgement("there is no such file", false)
    }
    if file.bytes != facts.bodyBytes {
      return Judgement("\(file.bytes) bytes in place of \(facts.bodyBytes)", false)
    }
    if file.checksum != facts.checksum(beyond: UInt64(version)) {
      let isOld = version > 0 && file.checksum == facts.checksum()
      return Judgement(isOld ? "these are the old file's bytes" : "as long, but with other bytes", false)
    }
    return facts.unsentBody ?? Judgement("equal, \(file.bytes) bytes", true)
  }
}

/// There are exactly so many files with names that begin so, each with the server's body, or with the one that the server
/// sends for the number behind `prefix`.
struct FilesCheck: CheckKind {
  static let (name, keys, isOutside) = ("files", Set(["prefix", "exactly", "content"]), true)
  let (prefix, count, isNumbered): (String, Int, Bool)
  init(_ map: ManifestNode) throws(LessonKitError) {
    let content = try map.find("content")?.text() ?? "body"
    guard ["body", "numbered"].contains(content) else { throw map.wrong("a content is body or numbered") }
    isNumbered = content == "numbered"
    (prefix, count) = try (map.text("prefix"), map.number("exactly", in: 1...1000))
  }
  var title: Phrase { "the files “\(prefix)…”" }
  var wanted: Phrase {
    isNumbered
      ? "exactly \(count), each with the server's body of its number" : "exactly \(count), each with the server's body"
  }

  func judge(_ facts: RunFacts) -> Judgement {
    let files = facts.run.files.filter { $0.path.hasPrefix(prefix) }
    let right = files.count { file in
      let number = isNumbered ? UInt64(file.path.dropFirst(prefix.count)) : 0
      return file.bytes == facts.bodyBytes && number.map { file.checksum == facts.checksum(beyond: $0) } ?? false
    }
    if let missing = facts.unsentBody, right > 0 { return missing }
    let measured: Phrase = "\(Phrase.count(files.count, "file")), \(right) of them right"
    return Judgement(measured, right == count && files.count == count)
  }
}

extension RunFacts {
  /// Bytes on disk count only where the server sent them: the finding that it did not; nil where it did.
  fileprivate var unsentBody: Judgement? {
    let sent = run.result.traffic.bytesSent
    guard sent < bodyBytes else { return nil }
    return Judgement("the right bytes, of which the server sent only \(ByteWords.text(sent))", false)
  }
}

/// The files of the program's folder have at most so many bytes in the end, what the libraries keep in its home folder
/// among them; with 0 the program leaves no file of its own, not even an empty one.
struct LeftCheck: CheckKind {
  static let (name, keys, isOutside) = ("left", Set(["at_most"]), true)
  let most: Int
  init(_ map: ManifestNode) throws(LessonKitError) { most = try map.bytes("at_most") }
  var title: Phrase { "files left in the folder" }
  var wanted: Phrase { most == 0 ? "no file" : "at most \(ByteWords.text(most)) in all" }

  func judge(_ facts: RunFacts) -> Judgement {
    guard most == 0 else { return Judgement(bytes: facts.run.files.reduce(0) { $0 + $1.bytes }, atMost: most) }
    let own = facts.run.files.count { !$0.path.hasPrefix(".home/") }
    return Judgement("\(Phrase.count(own, "file"))", own == 0)
  }
}

/// So many files are opened for writing.
struct OpensCheck: CheckKind {
  static let (name, keys, isOutside) = ("opens", Bound.keys, true)
  let bound: Bound
  init(_ map: ManifestNode) throws(LessonKitError) { bound = try Bound(map) }
  var title: Phrase { "openings of files for writing" }
  var wanted: Phrase { bound.words }

  func judge(_ facts: RunFacts) -> Judgement {
    switch facts.opens {
    case .counted(let number): bound.judge(number)
    case .tooMany: Judgement("more openings than the kernel keeps", false)
    case .hidden:
      Judgement(
        "the program made a folder, and what it opens there is not counted; write without folders of your own", false)
    case nil: Judgement("the kernel did not say", false)
    }
  }
}
