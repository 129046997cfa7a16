// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Transport

/// Cookies of a load: chosen anew for every request it sends, also for those of redirects, and stored from every response
/// whose head was judged sound, before anybody hears of it and before the next request goes out.
extension Load {
  /// Puts the Cookie field in place, then goes on: at once, unless cookies are being stored just now, or a load that came
  /// before still waits for its own; so nobody passes another. Stored cookies replace a field that a program wrote; where
  /// there are none, its own goes.
  func addCookies(
    to transferRequest: consuming TransferRequest, of request: URLRequest,
    then: @escaping @Sendable (consuming TransferRequest) -> Void
  ) {
    let url = request.url
    // What a session adds to all its requests stays with the host that the load was made for.
    if url != originalRequest.url, !RedirectRules.isSameOrigin(originalRequest.url, url),
      request.value(forHTTPHeaderField: "Cookie") == nil
    {
      transferRequest.fields.removeAll { $0.isNamed("cookie") }
    }
    guard context.configuration.sendsCookies, request.httpShouldHandleCookies, let jar = context.cookies,
      let url
    else { return then(transferRequest) }
    guard CookieJar.isStoring || context.waitingForCookies.load(ordering: .relaxed) > 0 else {
      return then(Self.adding(jar.field(for: url), to: transferRequest))
    }
    let (number, chosen) = (beginLookup(), transferRequest)
    context.waitingForCookies.add(1, ordering: .relaxed)
    jar.find(for: url) { field in
      self.context.transport.perform {
        self.context.waitingForCookies.subtract(1, ordering: .relaxed)
        guard self.endsLookup(number) else { return }
        then(Self.adding(field, to: chosen))
      }
    }
  }

  private static func adding(_ field: String?, to transferRequest: consuming TransferRequest) -> TransferRequest {
    guard let field else { return transferRequest }
    transferRequest.fields.removeAll { $0.isNamed("cookie") }
    transferRequest.fields.append(HeaderField(name: "Cookie", value: field))
    return transferRequest
  }

  /// Whether the response sets cookies, which are stored first; `received(_:)` goes on then.
  func storesCookies(of head: ResponseHead) -> Bool {
    guard let jar = context.cookies, head.fields.contains(where: { $0.isNamed("set-cookie") }) else { return false }
    let fields = head.fields.filter { $0.isNamed("set-cookie") }
    let request = currentRequest
    guard request.httpShouldHandleCookies, let url = request.url,
      RedirectRules.outcome(status: head.status, location: head.value(of: "Location"), request: request) != .unusable
    else { return false }
    note(.cookieStorageBegan(head))
    let policy = context.configuration.cookieAcceptPolicy
    jar.keep(fields.map(\.value), from: url, mainDocument: request.mainDocumentURL, policy: policy) {
      self.context.transport.perform { self.handle(.stored) }
    }
    return true
  }

  /// What becomes of a response whose cookies are stored.
  func cookiesAreStored(of head: ResponseHead) {
    let transfer = transfer
    let flow = received(head)
    // A transfer that somebody else has taken the place of ends by itself.
    if self.transfer !== transfer || flow == .proceed && isReading { transfer?.resumeAtOnce() }
    // Of a response in parts the judges ask nothing; one whose transfer has ended meanwhile is complete.
    if case .parts = output { finishIfComplete() }
  }
}
