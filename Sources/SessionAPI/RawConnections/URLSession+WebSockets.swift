// SPDX-License-Identifier: Apache-2.0
import Foundation
import URLLoading

extension URLSession {
  func makeWebSocketTask(_ request: URLRequest, _ protocols: [String]) -> URLSessionWebSocketTask {
    let driver = WebSocketDriver()
    var specification = TaskSpecification(
      request: request, receiver: .rawConnection(driver), use: .webSocket(protocols: protocols))
    specification.loadRequest = WebSocketURL.overHTTP(request)
    if specification.loadRequest == nil {
      specification.refusal = LoadError.error(
        .unsupportedURL, url: request.url,
        description: "unsupported URL: '\(request.url?.scheme ?? "")' is neither ws nor wss.")
    }
    return make(specification) { specification, identifier, session, context in
      URLSessionWebSocketTask(specification, identifier: identifier, session: session, context: context, driver: driver)
    }
  }
}
