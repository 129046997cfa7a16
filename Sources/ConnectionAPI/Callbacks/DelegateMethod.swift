// SPDX-License-Identifier: Apache-2.0
import Delivery
import Locking

/// The delegate's methods that may be left out.
enum DelegateMethod: OptionalMethod {
  case shouldUseCredentialStorage
  case willSend
  case needNewBodyStream
  case didSendBodyData
  case willSendRequestFor
  case canAuthenticate
  case didReceiveChallenge
  case didCancelChallenge
  case didWriteData
  case didReceiveResponse
  case didReceiveData
  case willCacheResponse

  static let findings = Locked(MethodFindings<DelegateMethod>())

  var name: String {
    switch self {
    case .shouldUseCredentialStorage: "connectionShouldUseCredentialStorage(_:)"
    case .willSend: "connection(_:willSend:redirectResponse:)"
    case .needNewBodyStream: "connection(_:needNewBodyStream:)"
    case .didSendBodyData: "connection(_:didSendBodyData:totalBytesWritten:totalBytesExpectedToWrite:)"
    case .willSendRequestFor: "connection(_:willSendRequestFor:)"
    case .canAuthenticate: "connection(_:canAuthenticateAgainstProtectionSpace:)"
    case .didReceiveChallenge, .didReceiveResponse, .didReceiveData: "connection(_:didReceive:)"
    case .didCancelChallenge: "connection(_:didCancel:)"
    case .didWriteData: "connection(_:didWriteData:totalBytesWritten:expectedTotalBytes:)"
    case .willCacheResponse: "connection(_:willCacheResponse:)"
    }
  }

  var detail: String {
    switch self {
    case .didReceiveChallenge: "challenge"
    case .didReceiveResponse: "response"
    case .didReceiveData: "data"
    default: ""
    }
  }
}
