// SPDX-License-Identifier: Apache-2.0
import Transport

/// The consequences of a transfer's failure.
extension LoadMachine {
  /// The load's remedy for a failure. Whatever knows more may decline: then the failure is the end.
  enum Remedy: Equatable {
    case end
    /// Send the request again, whose body had begun on a connection that was dead.
    case sendAgain
    /// Wait until there is a network.
    case waitForNetwork
    /// Ask the client: for the proxy's sake, about the server's certificate, or for one of the client's own.
    case askClient
    /// Ask the server how much of the upload has come.
    case continueUpload
    /// Send the request to the next proxy, or directly, because its proxy cannot be reached.
    case goRoundProxy
  }

  /// The remedy for a failure of this cause. What sends the request anew does so only where nothing of a response was
  /// shown yet.
  func remedy(
    for cause: TransferFailure.Cause, waitsForConnectivity: Bool, continuesUploads: Bool, mayGoRoundProxy: Bool
  ) -> Remedy {
    switch cause {
    case .proxyAuthenticationRequired, .certificateUndecided, .identityUndecided: .askClient
    case .bodyNotRepeatable where awaitsResponse: .sendAgain
    case .notConnected where awaitsResponse && waitsForConnectivity: .waitForNetwork
    // Of a request that goes through a proxy, these are the proxy's: it resolves the server's name and connects to it.
    case .cannotConnect where awaitsResponse && mayGoRoundProxy,
      .cannotResolveHost where awaitsResponse && mayGoRoundProxy:
      .goRoundProxy
    case .connectionLost where awaitsResponse && continuesUploads: .continueUpload
    default: .end
    }
  }

  /// True if a request is on its way, and no response was shown.
  var awaitsResponse: Bool { isExchanging && !hasResponse }
}
