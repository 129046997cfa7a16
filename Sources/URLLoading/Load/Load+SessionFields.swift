// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import HTTPRules

/// The fields that a session adds to its requests, and how far they go. On the I/O thread.
extension Load {
  /// The fields that the session adds: none to the request of a redirect, which has them itself, and to the resource of an
  /// upload at another origin none that say who the client is.
  func sessionFields(for request: URLRequest) -> [String: String] {
    let fields = context.configuration.wire.fields
    guard !fields.isEmpty, redirectCount == 0 || upload?.isForWhole == false else { return [:] }
    guard !RedirectRules.isSameOrigin(originalRequest.url, request.url) else { return fields }
    return fields.filter { !RedirectRules.staysAtOrigin($0.key.lowercased()) }
  }

  /// The first redirect's request with the fields of the session that may go where it leads. Until here they are added to what
  /// is sent; from here on they are the request's own, so that the client sees them and may take them away.
  func withSessionFields(_ request: URLRequest, behind response: HTTPURLResponse) -> URLRequest {
    let fields = context.configuration.wire.fields
    guard !fields.isEmpty, let current = currentURL, let target = request.url else { return request }
    var bearer = URLRequest(url: current)
    bearer.httpMethod = currentRequest.httpMethod
    bearer.allHTTPHeaderFields = fields
    let carried = RedirectRules.rewritten(bearer, for: target, status: response.statusCode).allHTTPHeaderFields ?? [:]
    var next = request
    for (name, value) in carried where next.value(forHTTPHeaderField: name) == nil {
      next.setValue(value, forHTTPHeaderField: name)
    }
    return next
  }
}
