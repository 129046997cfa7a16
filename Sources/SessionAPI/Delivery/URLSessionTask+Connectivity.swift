// SPDX-License-Identifier: Apache-2.0
package import URLLoading

extension URLSessionTask {
  package func loadWaitsForConnectivity(_ load: Load) {
    guard taskDelegate != nil else { return }
    mailbox.post { [self] in
      if isWanted, let delegate = taskDelegate { deliverWaiting(to: delegate) }
    }
  }

  func deliverWaiting(to delegate: any URLSessionTaskDelegate) {
    DelegateMethod.isWaitingForConnectivity.run(on: delegate) {
      announce(.isWaitingForConnectivity)
    } call: {
      delegate.urlSession(session, taskIsWaitingForConnectivity: self)
    }
  }
}
