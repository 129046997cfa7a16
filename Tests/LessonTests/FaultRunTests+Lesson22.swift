// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

/// Lesson 22's good forms against servers that fail, and a disk that is full.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ResumeFaultTests {
  /// What becomes of the download.
  enum End: Sendable {
    /// The whole file is there.
    case whole
    /// The program reports an error; no file passes for the whole.
    case failure
  }

  /// What goes wrong.
  struct Fault: Sendable, CustomTestStringConvertible {
    var name: String
    var resource: Example.Resource
    var fileLimit: Int?
    var checked: End
    var resumed: End
    /// True if the half that had arrived must still be there with the hand-made form.
    var keepsPartial = true

    init(
      _ name: String, _ resource: Example.Resource, fileLimit: Int? = nil, checked: End = .failure,
      resumed: End = .failure, keepsPartial: Bool = true
    ) {
      (self.name, self.resource, self.fileLimit, self.checked) = (name, resource, fileLimit, checked)
      (self.resumed, self.keepsPartial) = (resumed, keepsPartial)
    }

    var testDescription: String { name }
  }

  private static let size = 1 << 20

  private static func body(_ options: String, _ length: Example.Resource.Length = .known) -> Example.Resource {
    .body(length: length, takes: .seconds(1), options: options)
  }

  private static let faults =
    [404, 416, 503].map { Fault("\($0) at once", .path("/status/\($0)"), keepsPartial: false) } + [
      Fault("404 instead of the rest", body("etag=v1&rest=404")),
      Fault("503 instead of the rest", body("etag=v1&rest=503")),
      Fault("416 instead of the rest", body("etag=v1&rest=416"), resumed: .whole),
      Fault("a part that begins elsewhere", body("etag=v1&rest=206"), resumed: .whole),
      Fault("cut", body("etag=v1&cut=100KiB&by=fin")),
      Fault("reset", body("etag=v1&cut=100KiB&by=rst")),
      Fault("the rest is cut", body("etag=v1&cut=500KiB&by=rst")),
      Fault("full disk", body("etag=v1"), fileLimit: 200 << 10),
      Fault("full disk while the rest arrives", body("etag=v1"), fileLimit: 600 << 10),
      Fault("no expected length", body("etag=v1", .chunked), checked: .whole, resumed: .whole),
      Fault("nothing in the file", .path("/body?size=0&etag=v1"), checked: .whole, resumed: .whole),
    ]

  private func run(_ example: String, _ fault: Fault) async throws -> ExampleRun {
    var options = RunOptions(bodyBytes: Self.size, timeout: .seconds(20))
    (options.resource, options.fileLimit) = (fault.resource, fault.fileLimit)
    return try await LessonRuns.run(example, of: 22, options)
  }

  private func expect(_ end: End, of run: ExampleRun) {
    let file = run.files.first { $0.path == "download" }
    switch end {
    case .whole:
      #expect(file != nil && run.result.product?.comparison != .different)
      #expect(run.printed.contains("finished"))
    case .failure:
      #expect(file == nil, "no file passes for the whole")
      #expect(run.printed.contains { $0.hasPrefix("failed: ") }, "\(run.printed)")
    }
  }

  @Test(arguments: faults) func `a download continued by hand ends with an error and keeps its half`(_ fault: Fault)
    async throws
  {
    let run = try await run("connection/checked", fault)
    expect(fault.checked, of: run)
    guard case .failure = fault.checked, fault.keepsPartial else { return }
    let partial = try #require(run.files.first { $0.path == "download.part" })
    #expect(partial.bytes > 0 && partial.bytes < Self.size)
  }

  @Test(arguments: faults) func `a resumed download task ends with an error, or with the whole file`(_ fault: Fault)
    async throws
  {
    expect(fault.resumed, of: try await run("session/resumed", fault))
  }

  @Test(arguments: faults) func `resumed at once after the pause it ends the same way`(_ fault: Fault) async throws {
    expect(fault.resumed, of: try await run("session/resumed-at-once-mended", fault))
  }
}
