// SPDX-License-Identifier: Apache-2.0
public import Foundation
import URLLoading

/// WebSocket tasks. A URL with another scheme than `ws` or `wss` ends its task with -1002.
extension URLSession {
  /// A task for the WebSocket at `url`.
  public func webSocketTask(with url: URL) -> URLSessionWebSocketTask {
    webSocketTask(with: URLRequest(url: url))
  }

  /// A task for the WebSocket at `url` that offers these sub-protocols, the preferred one first. A name that is no token
  /// ends the task with -1000.
  public func webSocketTask(with url: URL, protocols: [String]) -> URLSessionWebSocketTask {
    make(URLRequest(url: url), protocols)
  }

  /// A task for the WebSocket that `request` opens: with its header fields, a `Sec-WebSocket-Protocol` of its own among
  /// them, and its time-out, which counts until the WebSocket is open.
  public func webSocketTask(with request: URLRequest) -> URLSessionWebSocketTask {
    make(request, [])
  }

  private func make(_ request: URLRequest, _ protocols: [String]) -> URLSessionWebSocketTask {
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
