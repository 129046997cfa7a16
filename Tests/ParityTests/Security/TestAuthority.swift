// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonServer

/// The authority that both APIs trust in these tests, by the environment variable SSL_CERT_FILE: they have no other way,
/// as on Apple's systems. Its file stands in the home that this process and those it starts share (`TestHome`), and goes
/// with that: nobody knows when the last of them has read it.
enum TestAuthority {
  /// Set up with the first question.
  static let shared: CertificateAuthority = {
    do {
      let authority = try CertificateAuthority()
      guard let home = ProcessInfo.processInfo.environment["WORKBENCH_TEST_HOME"] else { throw POSIXError(.ENOENT) }
      let file = URL(fileURLWithPath: home).appendingPathComponent("parity-\(getpid()).pem")
      try Data(authority.pem.utf8).write(to: file)
      setenv("SSL_CERT_FILE", file.path, 1)
      return authority
    } catch {
      preconditionFailure("no authority for tests: \(error)")
    }
  }()

  /// A server that shows a certificate of this kind.
  static func server(
    _ leaf: TLSSettings.Leaf, routes: [Route] = Route.standard, protocols: [String] = ["h2", "http/1.1"],
    port: UInt16 = 0
  ) throws -> LessonServer {
    let server = LessonServer(
      routes: routes, tls: TLSSettings(leaf: leaf, authority: shared, protocols: protocols), port: port)
    try server.start()
    return server
  }
}
