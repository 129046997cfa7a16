// SPDX-License-Identifier: Apache-2.0
package import URLLoading

extension URLSessionTask {
  package func load(_ load: Load, didReceiveInterim response: HTTPURLResponse) {
    guard taskDelegate != nil else { return }
    mailbox.post { [self] in
      if isWanted, let delegate = taskDelegate { deliver(interim: response, to: delegate) }
    }
  }

  func deliver(interim response: HTTPURLResponse, to delegate: any URLSessionTaskDelegate) {
    DelegateMethod.didReceiveInformational.run(on: delegate) {
      announce(.didReceiveInformational, .response(response))
    } call: {
      delegate.urlSession(session, task: self, didReceiveInformationalResponse: response)
    }
  }
}
