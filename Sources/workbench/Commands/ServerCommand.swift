// SPDX-License-Identifier: Apache-2.0
public import ArgumentParser
import Foundation
public import LessonKit
import LessonServer
import Lessons

/// `workbench server`
struct ServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "server", abstract: "Run the lesson server alone, to try with curl or any client. Ctrl-C ends it.",
    discussion: """
      It listens on 127.0.0.1 only.

      Examples:
        workbench server --port 8080
        workbench server --port 8443 --certificate expired
        workbench server --routes
      """)

  @Option(help: "The port, 1 to 65535; left out, the system chooses a free one.", transform: Number.port)
  var port: UInt16 = 0
  @Option(help: "Speak TLS and show this certificate: trusted, selfSigned, unknownAuthority, wrongHost or expired.")
  var certificate: Example.Certificate?
  @Flag(help: "Print the routes and end.") var routes = false
  @OptionGroup var reader: LanguageOptions

  func run() async throws {
    try await ExitStatus.guarding(reader.messages) {
      if routes {
        let width = (Route.standard.map(\.path.count).max() ?? 0) + 2
        let lines = Route.standard.map { $0.path.padded(to: width) + reader.messages.catalogue($0.summary) + "\n" }
        return try Terminal.show(lines.joined())
      }
      LessonServer.raiseFileLimit()
      let authority = try certificate.map { _ in try CertificateAuthority() }
      let server = LessonServer(tls: tls(signedBy: authority), port: port)
      try server.start()
      let trusted = try authority.map { try Self.write($0.pem, port: server.port) }
      defer { if let trusted { try? FileManager.default.removeItem(at: trusted) } }
      if let trusted {
        let cure: Phrase = "A client trusts this server's authority with SSL_CERT_FILE=\(trusted.path)"
        Terminal.tell(reader.messages.catalogue(cure))
      }
      try await Interruption.cancelling {
        try Terminal.show("\(server.url("/"))\n")
        try await Task.sleep(for: .seconds(60 * 60 * 24 * 365))
      }
    }
  }

  private func tls(signedBy authority: CertificateAuthority?) -> TLSSettings? {
    guard let authority, let leaf = certificate.flatMap({ TLSSettings.Leaf(rawValue: $0.rawValue) }) else { return nil }
    return TLSSettings(leaf: leaf, authority: authority)
  }

  /// Writes the authority's certificate where a client may read it while the server runs.
  private static func write(_ pem: String, port: UInt16) throws -> URL {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("workbench-authority-\(port).pem")
    do {
      try Data(pem.utf8).write(to: file, options: .atomic)
    } catch {
      throw LessonKitError(
        .environment, "The file \(file.path) cannot be written. Set TMPDIR to a folder that you may write to.")
    }
    return file
  }
}

extension Example.Certificate: ExpressibleByArgument {}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }
}
