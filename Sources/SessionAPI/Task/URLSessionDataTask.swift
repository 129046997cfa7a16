// SPDX-License-Identifier: Apache-2.0

/// A task whose body comes as data: in pieces to the delegate, or whole to a completion handler.
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {
  override func makeClient(for receiver: Receiver) -> TaskClient {
    switch receiver {
    case .dataHandler(let handler): DataHandlerClient(self, handler)
    case .bytes(let channel): BytesClient(self, channel)
    case .dataDelegate, .downloadDelegate, .fileHandler, .rawConnection: DataClient(self)
    }
  }
}
