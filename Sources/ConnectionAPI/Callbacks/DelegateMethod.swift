// SPDX-License-Identifier: Apache-2.0
import Delivery

/// The delegate's methods that may be left out.
enum DelegateMethod: String, OptionalMethod {
  case shouldUseCredentialStorage = "connectionShouldUseCredentialStorage(_:)"
  case willSend = "connection(_:willSend:redirectResponse:)"
  case needNewBodyStream = "connection(_:needNewBodyStream:)"
  case didSendBodyData = "connection(_:didSendBodyData:totalBytesWritten:totalBytesExpectedToWrite:)"
  case willSendRequestFor = "connection(_:willSendRequestFor:)"
  case canAuthenticate = "connection(_:canAuthenticateAgainstProtectionSpace:)"
  case didReceiveChallenge = "connection(_:didReceive:) challenge"
  case didCancelChallenge = "connection(_:didCancel:)"
  case didWriteData = "connection(_:didWriteData:totalBytesWritten:expectedTotalBytes:)"
  case didReceiveResponse = "connection(_:didReceive:) response"
  case didReceiveData = "connection(_:didReceive:) data"
  case willCacheResponse = "connection(_:willCacheResponse:)"
}
