// SPDX-License-Identifier: Apache-2.0

/// Why a transfer failed.
public struct TransferFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The cause of a failure, in the terms of HTTP. libcurl's number alone does not say (faults: one number serves
  /// several faults, and some faults count as success), so phase and our own judgement come first.
  public enum Cause: String, Sendable, Hashable, CaseIterable {
    case cancelled, timedOut
    case malformedURL, unsupportedScheme, unsendableField
    case cannotResolveHost, cannotConnect, notConnected, tooManyOpenFiles
    case connectionLost
    case malformedResponse, responseTooLarge, undecodableContent
    case secureConnectionFailed, certificateExpired, certificateUntrusted, certificateUnknownRoot
    case certificateNotYetValid, certificateUndecided, identityUndecided, clientCertificateRejected,
      clientCertificateRequired
    case proxyRefused, proxyAuthenticationRequired
    case bodyUnreadable, bodyNotRepeatable
    case outOfMemory, unknown
  }

  /// The cause of the failure.
  public var cause: Cause
  /// libcurl's number (CURLcode), 0 when libcurl saw nothing wrong.
  public var curlCode: Int32
  /// A sentence: libcurl's own message, or ours where we judged.
  public var description: String
  /// Of a connection that was not made, the system's reason (errno), such as EHOSTUNREACH; 0 where it gave none.
  package var systemError: Int32 = 0

  /// A failure as given.
  public init(_ cause: Cause, curlCode: Int32 = 0, description: String) {
    self.cause = cause
    self.curlCode = curlCode
    self.description = description
  }
}

extension TransferFailure {
  static let identityUndecided = TransferFailure(
    .identityUndecided, description: "Somebody has to decide which certificate to show to the server.")
  static let undecided = TransferFailure(
    .certificateUndecided, description: "Somebody has to decide about the server's certificate first.")
  static let noHandle = TransferFailure(
    .outOfMemory, description: "There is no memory for another transfer, or its transport was shut down.")
  static let outOfDescriptors = TransferFailure(
    .tooManyOpenFiles, description: "The process has too many open files (EMFILE); raise its limit or close some.")
}
