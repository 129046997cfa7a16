// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// The circumstances of one run of an exercise's program: what it loads, and what happens around it.
public struct ExerciseCase: Sendable, Hashable {
  /// Its name, which checks refer to.
  public var id = "run"
  /// The resource that `app.url` leads to; `{seed}` in a path is replaced by the token that stands for the seed of the
  /// run, `{size}` by the size of its body. A path that begins with `//localhost/` is asked for under that name.
  var resource = Example.Resource.body()
  /// When the person touches the screen.
  var touch: Circumstances.Stretch?
  /// When the main thread is busy with something else and answers nobody.
  var busy: Circumstances.Stretch?
  /// When the process is stopped.
  var stop: Circumstances.Stretch?
  /// Files that are there before the program starts.
  var files: [String: String] = [:]
  /// Files that are there before the program starts and hold the run's body, to be sent.
  var bodies: [String] = []
  /// Files that are there before the program starts and hold so many other bytes, as an earlier, longer version would.
  var remains: [String: Int] = [:]
  /// How often the program is launched.
  var launches = 1

  private static let keys: Set<String> = [
    "id", "path", "secure", "length", "options", "takes", "after", "touch", "busy", "stop", "files", "bodies",
    "remains", "launches",
  ]

  /// The cases of a list; one without anything of note where there is no list.
  static func all(_ node: ManifestNode?) throws(LessonKitError) -> [ExerciseCase] {
    guard let node else { return [ExerciseCase()] }
    var all: [ExerciseCase] = []
    for element in try node.elements() {
      let next = try ExerciseCase(element)
      if all.contains(where: { $0.id == next.id }) { throw element.wrong("there are two cases “\(next.id)”") }
      all.append(next)
    }
    guard !all.isEmpty else { throw node.wrong("here belongs at least one case") }
    return all
  }

  private init() {}

  private init(_ node: ManifestNode) throws(LessonKitError) {
    try node.allowOnly(Self.keys)
    id = try node.need("id").text()
    resource = try Self.resource(node)
    touch = try Self.stretch(node.find("touch"))
    busy = try Self.stretch(node.find("busy"))
    stop = try Self.stretch(node.find("stop"))
    launches = try node.find("launches")?.number(in: 1...5) ?? 1
    for (name, text) in try node.find("files")?.pairs() ?? [] {
      guard Self.isPlain(name) else { throw text.wrong("a file's name has no slash and does not begin with a dot") }
      files[name] = try text.text()
    }
    for (name, size) in try node.find("remains")?.pairs() ?? [] {
      guard Self.isPlain(name) else { throw size.wrong("a file's name has no slash and does not begin with a dot") }
      remains[name] = try size.bytes()
    }
    for element in try node.find("bodies")?.elements() ?? [] {
      let name = try element.text()
      guard Self.isPlain(name) else { throw element.wrong("a file's name has no slash and does not begin with a dot") }
      bodies.append(name)
    }
  }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && !name.contains("/") && !name.hasPrefix(".")
  }

  private static func resource(_ node: ManifestNode) throws(LessonKitError) -> Example.Resource {
    if let path = try node.find("path") { return .path(try path.text()) }
    if let secure = try node.find("secure") {
      guard let certificate = Example.Certificate(rawValue: try secure.text()) else {
        throw secure.wrong("a certificate is trusted, selfSigned, unknownAuthority, wrongHost or expired")
      }
      return .secure(certificate)
    }
    var length = Example.Resource.Length.known
    if let wanted = try node.find("length") {
      guard let known = Example.Resource.Length(rawValue: try wanted.text()) else {
        throw wanted.wrong("a length is known, none or chunked")
      }
      length = known
    }
    let (takes, after) = (try node.find("takes")?.seconds(), try node.find("after")?.seconds())
    return .body(
      length: length, takes: takes.map { .seconds($0) }, after: after.map { .seconds($0) },
      options: try node.find("options")?.text() ?? "")
  }

  /// A stretch such as `{from: 0.2, seconds: 1}`.
  private static func stretch(_ node: ManifestNode?) throws(LessonKitError) -> Circumstances.Stretch? {
    guard let node else { return nil }
    try node.allowOnly(["from", "seconds"])
    let from = try node.need("from").seconds()
    return Circumstances.Stretch(began: from, ended: from + (try node.need("seconds").seconds()))
  }

  /// The example by which the runner runs the program, for the run with this seed and number, whose body has so many bytes.
  /// Its address has the token.
  func example(_ side: Side, number: Int, bytes: Int, seed: UInt64, token: UInt64) -> Example {
    var resource = resource
    if case .path(let path) = resource {
      resource = .path(path.replacing("{seed}", with: "\(token)").replacing("{size}", with: "\(bytes)"))
    }
    var example = Example("\(side.rawValue)/\(id)-\(number)", side, id, file: "", loads: resource) { _ in }
    example.product = .nothing
    example.circumstances.touch = touch
    example.circumstances.busy = busy
    example.circumstances.stop = stop
    example.circumstances.files = files
    example.circumstances.launches = launches
    example.circumstances.seed = seed
    example.circumstances.bodyBytes = bytes
    example.circumstances.token = token
    return example
  }
}
