// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules
import Transport

/// Cookies of the loads of a context: chosen anew for every request, also for those of redirects, and stored from every
/// response whose head was judged sound, before the client is called and before the next request goes out.
///
/// At once with a storage of the library's in memory. A load waits for a queue where a file has to be read or written, and where the
/// methods of a program's own class are called.
final class LoadCookies: Sendable {
  let storage: HTTPCookieStorage
  private let isSending: Bool
  private let policy: HTTPCookie.AcceptPolicy?

  /// The cookies in `storage`, used as `configuration` says.
  init(_ storage: HTTPCookieStorage, _ configuration: LoadConfiguration) {
    self.storage = storage
    (isSending, policy) = (configuration.sendsCookies, configuration.cookieAcceptPolicy)
  }
}

// MARK: - The field of a request

extension LoadCookies {
  enum Choice {
    /// This value of the Cookie field; with nil the request keeps what it has.
    case value(String?)
    /// The value is only known when the file was read, or the program's own class has answered: `find(for:on:then:)`.
    case later(URL)
  }

  /// Chooses the cookies for `request`.
  func choice(for request: URLRequest) -> Choice {
    guard isSending, request.httpShouldHandleCookies, let url = request.url else { return .value(nil) }
    guard storage.isPlain, let value = storage.store.choice(for: url) else { return .later(url) }
    return .value(value)
  }

  /// Chooses the cookies for `url` when all earlier ones are stored; `then` is called on the I/O thread.
  func find(for url: URL, on transport: Transport, then: @escaping @Sendable (String?) -> Void) {
    storage.store.countWaiting(1)
    storage.store.queue.async { [self] in
      let value = storage.field(for: url)
      transport.perform { [self] in
        storage.store.countWaiting(-1)
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
}

// MARK: - The cookies of a response

extension LoadCookies {
  /// True if the answer to `request` sets cookies that are to be stored.
  static func areSet(by head: ResponseHead, to request: @autoclosure () -> URLRequest) -> Bool {
    guard head.fields.contains(where: { $0.isNamed("set-cookie") }) else { return false }
    let request = request()
    return request.httpShouldHandleCookies && request.url != nil
      && RedirectRules.outcome(status: head.status, location: head.value(of: "Location"), request: request)
        != .unusable
  }

  /// Stores what the answer to `request` sets. True when that is done; else `then` is called on a queue when it is.
  func keep(_ head: ResponseHead, of request: URLRequest, then: @escaping @Sendable () -> Void) -> Bool {
    guard let url = request.url else { return true }
    let fields = head.fields.filter { $0.isNamed("set-cookie") }.map(\.value)
    let (storage, document, policy) = (storage, request.mainDocumentURL, policy)
    let store: @Sendable () -> Void = { storage.receive(fields, from: url, mainDocument: document, policy: policy) }
    if storage.isPlain, !storage.store.hasFile, PublicSuffix.isLoaded {
      store()
      return true
    }
    storage.store.queue.async {
      _ = PublicSuffix.hasList
      store()
      then()
    }
    return false
  }
}
