// SPDX-License-Identifier: Apache-2.0
import Foundation
import Transport

/// Cookies of a load: chosen anew for every request it sends, also for those of redirects, and kept from every response
/// whose head was judged sound, before the next request goes out.
extension Load {
  /// Puts the Cookie field in place. Stored cookies replace one that a program wrote; where there are none, its own goes.
  /// One that a session adds to all its requests stays with the host that the load was made for.
  func addCookies(to transferRequest: inout TransferRequest, of request: URLRequest) {
    if request.url != originalRequest.url, !RedirectRules.isSameOrigin(originalRequest.url, request.url),
      request.value(forHTTPHeaderField: "Cookie") == nil
    {
      transferRequest.fields.removeAll { $0.name.lowercased() == "cookie" }
    }
    guard context.configuration.sendsCookies, request.httpShouldHandleCookies, let jar = context.cookies,
      let url = request.url, let field = jar.field(for: url)
    else { return }
    transferRequest.fields.removeAll { $0.name.lowercased() == "cookie" }
    transferRequest.fields.append(HeaderField(name: "Cookie", value: field))
  }

  /// Keeps the cookies of a response to the current request.
  func keepCookies(of head: ResponseHead) {
    guard let jar = context.cookies else { return }
    let fields = head.fields.filter { $0.name.utf8.count == 10 && $0.name.lowercased() == "set-cookie" }
    let request = currentRequest
    guard !fields.isEmpty, request.httpShouldHandleCookies, let url = request.url else { return }
    jar.receive(
      fields.map(\.value), from: url, mainDocument: request.mainDocumentURL,
      policy: context.configuration.cookieAcceptPolicy)
  }
}
