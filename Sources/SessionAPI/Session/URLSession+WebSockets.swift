// SPDX-License-Identifier: Apache-2.0
import Foundation
import URLLoading

extension URLSession {
  func makeWebSocketTask(_ request: URLRequest, _ protocols: [String]) -> URLSessionWebSocketTask {
    let course = WebSocketCourse()
    var order = TaskOrder(request: request, receiver: .link(course), use: .webSocket(protocols: protocols))
    order.loadRequest = WebSocketURL.overHTTP(request)
    if order.loadRequest == nil {
      order.refusal = LoadError.error(
        .unsupportedURL, url: request.url,
        description: "unsupported URL: '\(request.url?.scheme ?? "")' is neither ws nor wss.")
    }
    return make(order) { order, identifier, session, context in
      URLSessionWebSocketTask(order, identifier: identifier, session: session, context: context, course: course)
    }
  }
}
