// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Glibc

/// Where the agent of this user listens and what it keeps lies, the same for the agent and for its clients.
///
/// The socket lies in the folder for the user's running programs, which the system empties; journals and files in the
/// folder for state, which stays. All folders have mode 0700 and belong to this user, or they are not used.
package struct Places: Sendable {
  /// The socket that the agent listens on, named after the folder for state: agents of different ones do not meet there.
  package let socket: String
  /// A folder for each identifier, the agent's lock and its log.
  package let state: URL

  private static let folder = "url-transfer-agent"

  /// The places that the environment names: `XDG_RUNTIME_DIR` and `XDG_STATE_HOME`; without them the folder of state,
  /// below `HOME`, serves for both.
  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    func folder(_ variable: String) -> String? {
      guard let path = environment[variable], path.hasPrefix("/") else { return nil }
      return path
    }
    let home = folder("HOME") ?? NSHomeDirectory()
    state = URL(fileURLWithPath: folder("XDG_STATE_HOME") ?? home + "/.local/state").appendingPathComponent(Self.folder)
    let name = "/" + Self.digest(state.standardizedFileURL.path).prefix(8)
    socket = (folder("XDG_RUNTIME_DIR").map { $0 + "/" + Self.folder } ?? state.path) + name
  }

  /// Where the agent listens when there is no folder for the user's running programs any more, as after a log-out.
  package var otherSocket: String { state.appendingPathComponent((socket as NSString).lastPathComponent).path }

  package var lock: String { state.appendingPathComponent("lock").path }
  package var log: String { state.appendingPathComponent("log").path }

  /// The folder with the journal and the files of one identifier: a readable beginning, and a digest that sets long and
  /// odd names apart.
  package func folder(of identifier: String) -> URL {
    let plain = identifier.unicodeScalars.prefix(60).map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == ".")
        ? Character(scalar) : "_"
    }
    // The journal states the whole identifier, so that one with the same digest is recognised.
    return state.appendingPathComponent("session-\(String(plain))-\(Self.digest(identifier))")
  }

  /// FNV-1a, in hexadecimal digits.
  private static func digest(_ text: String) -> String {
    String(text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
  }

  /// Connects to the agent: at the socket that follows from the environment, or else at the one that its lock states. The
  /// agent may have been started with another folder for running programs.
  package func connect() throws(TransferFault) -> Int32 {
    do throws(TransferFault) {
      return try UnixSocket.connect(to: socket)
    } catch {
      guard let stated = AgentStatement(at: lock)?.socket, stated != socket else { throw error }
      return try UnixSocket.connect(to: stated)
    }
  }

  /// Makes the folder for state.
  package func prepare() throws(TransferFault) { try Self.makePrivate(state.path) }

  /// Makes a folder that only this user can enter, and those above it.
  package static func makePrivate(_ path: String) throws(TransferFault) {
    let above = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(atPath: above, withIntermediateDirectories: true)
    if unsafe mkdir(path, 0o700) != 0, errno != EEXIST {
      throw TransferFault("'\(path)' cannot be made: \(systemReason())")
    }
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0
    else { throw TransferFault("'\(path)' is no folder that is private to this user.") }
  }
}

/// A fault, in a sentence for the log or for an error's description.
package struct TransferFault: Error, CustomStringConvertible {
  package let description: String
  /// True if it may well be gone at the next attempt, such as a lack of descriptors or a disk that does not answer.
  package let isPassing: Bool

  package init(_ description: String, isPassing: Bool = false) {
    (self.description, self.isPassing) = (description, isPassing)
  }
}

/// The system's words for errno.
package func systemReason() -> String { unsafe String(cString: strerror(errno)) }
