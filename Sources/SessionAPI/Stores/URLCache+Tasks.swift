// SPDX-License-Identifier: Apache-2.0
public import URLLoading

/// The methods of a cache that take a task, which belong to this module alone.
extension URLCache {
  /// Stores a response under the task's current request.
  public func storeCachedResponse(_ cachedResponse: CachedURLResponse, for dataTask: URLSessionDataTask) {
    if let request = dataTask.currentRequest { storeCachedResponse(cachedResponse, for: request) }
  }

  /// Gives `completionHandler` what is stored under the task's current request, or nil, before it returns.
  public func getCachedResponse(
    for dataTask: URLSessionDataTask, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    completionHandler(dataTask.currentRequest.flatMap { cachedResponse(for: $0) })
  }

  /// The response that is stored under the task's current request; the asynchronous form of
  /// `getCachedResponse(for:completionHandler:)`.
  public func cachedResponse(for dataTask: URLSessionDataTask) async -> CachedURLResponse? {
    await withCheckedContinuation { continuation in
      getCachedResponse(for: dataTask) { continuation.resume(returning: $0) }
    }
  }

  /// Forgets what is stored under the task's current request.
  public func removeCachedResponse(for dataTask: URLSessionDataTask) {
    if let request = dataTask.currentRequest { removeCachedResponse(for: request) }
  }
}
