// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A program with a marked secret wherever a credential can be, and every form of output.
@Suite struct SecretsTests {
  private func outputs(_ options: String = "") async throws -> [String] {
    let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("secrets-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = ["json", "har", "junit", "output", "html", "trace"]
    let written = files.map { "--\($0) \(folder.path)/\($0)" }.joined(separator: " ")
    let address = "http://SECRET-a:SECRET-b@127.0.0.1/?c=SECRET-c"
    let run = try await Measured.alone(
      "\"$WORKBENCH\" measure \(options) \(written) -- \"$P\" secrets 1 '\(address)' 'Authorization: SECRET-d'; echo $?"
    )
    #expect(run.output == "0\n")
    let alone = try await Measured.alone("\"$P\" secrets")
    #expect(alone.errors.contains("pitfall"))
    return try files.map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) } + [
      run.errors, alone.errors,
    ]
  }

  @Test func `no output has a credential or the value of a query item`() async throws {
    for output in try await outputs() { #expect(!output.contains("SECRET"), "\(output)") }
  }

  @Test func `--show-queries shows the values of query items and no credential`() async throws {
    let outputs = try await outputs("--show-queries")
    #expect(outputs.contains { $0.contains("key=SECRET-query") })
    let shown = /SECRET-[a-z]+/
    let allowed: Set = ["SECRET-query", "SECRET-q", "SECRET-p", "SECRET-c", "SECRET-location", "SECRET-never"]
    // A narrow terminal cuts addresses.
    for secret in outputs.flatMap({ $0.matches(of: shown).map { String($0.0) } }) {
      #expect(allowed.contains { $0.hasPrefix(secret) }, "\(secret)")
    }
  }
}
