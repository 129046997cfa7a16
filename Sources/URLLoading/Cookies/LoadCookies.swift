// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules
import Synchronization
import Transport

/// Cookies of the loads of a context: chosen anew for every request, also for those of redirects, and stored from every
/// response whose head was judged sound, before the client is called and before the next request goes out.
final class LoadCookies: Sendable {
  let jar: CookieJar
  private let isSending: Bool
  private let policy: HTTPCookie.AcceptPolicy?
  /// How many loads wait for their cookies; changed on the I/O thread only.
  private let waiting = Atomic<Int>(0)

  /// The cookies in `jar`, used as `configuration` says.
  init(_ jar: CookieJar, _ configuration: LoadConfiguration) {
    self.jar = jar
    (isSending, policy) = (configuration.sendsCookies, configuration.cookieAcceptPolicy)
  }
}

// MARK: - The field of a request

extension LoadCookies {
  enum Choice {
    /// This value of the Cookie field; with nil the request keeps what it has.
    case value(String?)
    /// The value is only known when other cookies are stored: `find(for:on:then:)`.
    case later(URL)
  }

  /// Chooses the cookies for `request`: at once, unless cookies are being stored just now, or a load that came before still
  /// waits for its own; so no load passes another.
  func choice(for request: URLRequest) -> Choice {
    guard isSending, request.httpShouldHandleCookies, let url = request.url else { return .value(nil) }
    guard CookieJar.isStoring || waiting.load(ordering: .relaxed) > 0 else { return .value(jar.field(for: url)) }
    return .later(url)
  }

  /// Chooses the cookies for `url` when all earlier ones are stored; `then` is called on the I/O thread.
  func find(for url: URL, on transport: Transport, then: @escaping @Sendable (String?) -> Void) {
    waiting.add(1, ordering: .relaxed)
    jar.find(for: url) { value in
      transport.perform {
        self.waiting.subtract(1, ordering: .relaxed)
        then(value)
      }
    }
  }

  /// Puts stored cookies in the place of a field that a program wrote; where there are none, its own goes.
  static func put(_ value: String?, into request: inout TransferRequest) {
    guard let value else { return }
    request.fields.removeAll { $0.isNamed("cookie") }
    request.fields.append(HeaderField(name: "Cookie", value: value))
  }

  /// What a session adds to all its requests stays with the host that the load was made for.
  static func dropForeign(from request: inout TransferRequest, of shown: URLRequest, original: URL?) {
    if shown.url != original, !RedirectRules.isSameOrigin(original, shown.url),
      shown.value(forHTTPHeaderField: "Cookie") == nil
    {
      request.fields.removeAll { $0.isNamed("cookie") }
    }
  }
}

// MARK: - The cookies of a response

extension LoadCookies {
  /// Whether the answer to `request` sets cookies that are to be stored.
  static func areSet(by head: ResponseHead, to request: @autoclosure () -> URLRequest) -> Bool {
    guard head.fields.contains(where: { $0.isNamed("set-cookie") }) else { return false }
    let request = request()
    return request.httpShouldHandleCookies && request.url != nil
      && RedirectRules.outcome(status: head.status, location: head.value(of: "Location"), request: request)
        != .unusable
  }

  /// Stores what the answer to `request` sets; `then` is called on a queue.
  func keep(_ head: ResponseHead, of request: URLRequest, then: @escaping @Sendable () -> Void) {
    guard let url = request.url else { return then() }
    let fields = head.fields.filter { $0.isNamed("set-cookie") }
    jar.keep(fields.map(\.value), from: url, mainDocument: request.mainDocumentURL, policy: policy, then: then)
  }
}
