// SPDX-License-Identifier: Apache-2.0
public import URLLoading

/// The methods of a store of cookies that take a task, which belong to this module alone.
extension HTTPCookieStorage {
  /// Stores cookies as if a response to the task's current request had set them: those of other domains are left out, as
  /// `cookieAcceptPolicy` wants.
  public func storeCookies(_ cookies: [HTTPCookie], for task: URLSessionTask) {
    let request = task.currentRequest
    setCookies(cookies, for: request?.url, mainDocumentURL: request?.mainDocumentURL)
  }

  /// Gives `completionHandler` the cookies that go with the task's current request by RFC 6265, before it returns; nil for a
  /// task without a request.
  public func getCookiesFor(
    _ task: URLSessionTask, completionHandler: @escaping @Sendable ([HTTPCookie]?) -> Void
  ) {
    completionHandler(task.currentRequest?.url.map { cookies(for: $0) ?? [] })
  }

  /// The cookies that go with the task's current request; the asynchronous form of `getCookiesFor(_:completionHandler:)`.
  public func cookies(for task: URLSessionTask) async -> [HTTPCookie]? {
    await withCheckedContinuation { continuation in
      getCookiesFor(task) { continuation.resume(returning: $0) }
    }
  }
}
