// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Testing

/// The good forms that write a file, against servers that fail and a disk that is full: each reports an error and leaves
/// the older file as it was, or succeeds where that is right.
@Suite(.serialized, .timeLimit(.minutes(10))) struct WritingFaultTests {
  private static let size = 1 << 20
  /// The size of the file that lies there before a program runs.
  private static let olderBytes = 15
  private static let programs: [Int: [String]] = [
    6: ["connection/released", "connection/name-given", "session/collected"],
    7: ["connection/one-handle", "session/one-handle"],
    8: ["connection/stream", "connection/short-writes-continued", "session/moved"],
    12: ["connection/in-memory", "connection/mended", "session/shared-manager"],
    23: ["connection/parts-1", "connection/parts-4", "session/parts-1", "session/parts-4"],
  ]

  /// What goes wrong.
  struct Fault: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var resource: Example.Resource
    var fileLimit: Int?
  }

  private static let failures = [
    Fault(testDescription: "404", resource: .path("/status/404")),
    Fault(testDescription: "416", resource: .path("/status/416")),
    Fault(testDescription: "503", resource: .path("/status/503")),
    Fault(testDescription: "cut", resource: .body(options: "etag=v1&cut=100KiB&by=fin")),
    Fault(testDescription: "reset", resource: .body(options: "etag=v1&cut=100KiB&by=rst")),
    Fault(testDescription: "refused", resource: .refused),
    Fault(testDescription: "full disk", resource: .body(options: "etag=v1"), fileLimit: 100 << 10),
  ]

  @Test(arguments: programs.keys.sorted(), failures)
  func `a failure is reported, and the older file stays`(_ lesson: Int, _ fault: Fault) async throws {
    for run in try await Self.runs(of: lesson, fault) {
      let last = run.printed.last ?? "nothing printed"
      #expect(Self.isError(run), "\(run.result.id): \(last)")
      #expect([.finished, .failed, .cancelled].contains(run.result.outcome.kind), "\(run.result.id): \(last)")
      // A broken download leaves the session's own file, which its error's resume data names.
      let files = run.files.filter { !$0.path.hasPrefix("CFNetworkDownload_") }
      let isOlder = files.allSatisfy { $0.path == "download" && $0.bytes == Self.olderBytes }
      #expect(isOlder, "\(run.result.id): \(run.files)")
    }
  }

  @Test(arguments: programs.keys.sorted(), [Example.Resource.Length.none, .chunked])
  func `a body without an announced length arrives whole`(_ lesson: Int, _ length: Example.Resource.Length) async throws
  {
    let fault = Fault(testDescription: "", resource: .body(length: length, options: "etag=v1&disposition=report.pdf"))
    for run in try await Self.runs(of: lesson, fault) {
      #expect(run.result.outcome.kind == .finished && run.files.count == 1, "\(run.result.id): \(run.files)")
      #expect(run.files.first?.isBody == true, "\(run.result.id): \(run.printed)")
    }
  }

  @Test(arguments: programs.keys.sorted()) func `an empty body is an empty file`(_ lesson: Int) async throws {
    let fault = Fault(testDescription: "", resource: .path("/body?size=0&etag=v1"))
    for run in try await Self.runs(of: lesson, fault) {
      #expect(run.result.outcome.kind == .finished, "\(run.result.id): \(run.printed)")
      #expect(run.files.map(\.bytes) == [0], "\(run.result.id): \(run.files)")
    }
  }

  private static func runs(of lesson: Int, _ fault: Fault) async throws -> [ExampleRun] {
    let names = programs[lesson] ?? []
    var options = RunOptions(bodyBytes: size, timeout: .seconds(10), examples: names)
    options.resource = fault.resource
    options.fileLimit = fault.fileLimit
    let run = try await LessonRuns.shared.run(lesson, options)
    let results = try #require(run.results.values.first)
    return names.compactMap(results.anyEnd(of:))
  }

  /// True if the program printed an error, and no success.
  private static func isError(_ run: ExampleRun) -> Bool {
    let ends = run.printed.filter { $0.hasPrefix("failed: ") || $0.hasPrefix("completion: ") || successes.contains($0) }
    return ends.count == 1 && !successes.contains(ends[0])
  }

  private static let successes = ["finished", "written", "completion: the file is there", "completion: the data"]
}
