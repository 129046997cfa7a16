// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonServer

/// The lesson server's side of a run: it announces its port, answers the log when asked, and ends with its parent.
enum ServerChild {
  /// The question that a parent asks: the log since the last question.
  static let take = "take"
  /// How many requests of a run, and how many bytes of their heads, the log keeps. The parent reads all of them, so a program
  /// that does nothing but ask must not make them more than it can read in a moment.
  static let (most, mostBytes) = (20_000, 8 << 20)

  /// Forms the line that a parent sends before a program is to load what it cannot make up, see `HiddenSeeds`.
  static func hide(_ seed: UInt64, behind token: UInt64) -> String { "hide \(token) \(seed)" }

  /// One line from the server to its parent.
  enum Message: Codable, Sendable {
    /// It listens on this port, and over TLS on one for each certificate, by its name, signed by the authority of this PEM.
    case listening(port: UInt16, secure: [String: UInt16], authority: String)
    /// It cannot listen; the text says why and what helps.
    case failed(String)
    /// It knows what a token stands for.
    case hidden
    /// Its log since it was last asked.
    case log(ServerLogSnapshot)
  }

  /// Serves until standard input closes, and ends the process.
  static func run() -> Never {
    ClosedProcess.enter()
    let results = ResultPipe()
    LessonServer.raiseFileLimit()
    let server = LessonServer(routes: Route.standard, log: ServerLog(requestLimit: most, byteLimit: mostBytes))
    var secure: [String: LessonServer] = [:]
    do throws(LessonServerError) {
      try server.start()
      let authority = try CertificateAuthority()
      for leaf in Example.Certificate.allCases.compactMap({ TLSSettings.Leaf(rawValue: $0.rawValue) }) {
        let other = LessonServer(tls: TLSSettings(leaf: leaf, authority: authority), log: server.log)
        try other.start()
        secure[leaf.rawValue] = other
      }
      results.send(
        Message.listening(port: server.port, secure: secure.mapValues(\.port), authority: authority.pem))
    } catch {
      results.send(Message.failed(error.description))
      exit(3)
    }
    while let line = readLine() {
      let words = line.split(separator: " ")
      if words.count == 3, words[0] == "hide", let token = UInt64(words[1]), let seed = UInt64(words[2]) {
        HiddenSeeds.hide(seed, behind: token)
        results.send(Message.hidden)
      }
      guard line == take else { continue }
      _ = server.log.settled(within: .seconds(1))
      results.send(Message.log(server.log.takeRun()))
    }
    for each in [server] + secure.values { each.stop() }
    exit(0)
  }
}
