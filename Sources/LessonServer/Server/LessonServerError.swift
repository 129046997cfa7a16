// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A failure that can keep the lesson server from its work; its text names the value and the cure.
public struct LessonServerError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of failure; more may be added.
  public struct Code: Sendable, Hashable {
    let name: String
    /// Another program listens on the port that was asked for.
    public static let portInUse = Code(name: "portInUse")
    /// The system refused a socket or a thread for another reason.
    public static let cannotListen = Code(name: "cannotListen")
    /// A size could not be read.
    public static let invalidByteCount = Code(name: "invalidByteCount")
    /// OpenSSL could not make the certificates.
    public static let cannotMakeCertificates = Code(name: "cannotMakeCertificates")
    /// A parameter in a request's query could not be read.
    public static let invalidParameter = Code(name: "invalidParameter")
  }

  /// The kind of failure.
  public let code: Code
  /// A sentence for the person who reads the terminal.
  public let description: String

  static func portInUse(_ port: UInt16) -> Self {
    Self(
      code: .portInUse,
      description: "Port \(port) is already in use by another program. "
        + "Choose another port, or leave it out and the system chooses a free one.")
  }

  static func cannotListen(_ step: String, _ error: CInt) -> Self {
    let reason = strerror(error).map { String(cString: $0) } ?? "error \(error)"
    let cure =
      error == EMFILE || error == ENFILE
      ? "Raise the limit of open files (ulimit -n) and start again."
      : error == EACCES ? "Choose a port from 1024 on, or leave it out." : "Start again."
    return Self(
      code: .cannotListen,
      description: "The lesson server cannot listen on 127.0.0.1: \(step) failed (\(reason)). \(cure)")
  }

  static func invalidByteCount(_ text: String) -> Self {
    Self(
      code: .invalidByteCount,
      description: "\"\(text)\" is not a size. Write a whole number of bytes such as 10, or 64KiB, 64MiB, 1GiB.")
  }
}
