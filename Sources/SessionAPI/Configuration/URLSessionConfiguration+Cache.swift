// SPDX-License-Identifier: Apache-2.0
import Locking
public import URLLoading

/// What a session's data tasks do with stored responses. Upload tasks with a body and download tasks neither use nor store
/// any.
extension URLSessionConfiguration {
  /// Where responses are kept: `URLCache.shared` in a `default` configuration, a private one of 4 MiB in memory in an
  /// `ephemeral` one. nil: nothing is stored, and nothing stored is used.
  ///
  /// A cache finds responses by host, port and path alone; each is checked by its whole URL, by Vary and by a digest of
  /// its body before it is used. So of two URLs that differ in their query alone, one is stored at a time.
  public var urlCache: URLCache? {
    get { values.withLock { $0.cache } }
    set { values.withLock { $0.cache = newValue } }
  }

  /// How stored responses are used for requests that keep their default of `.useProtocolCachePolicy`, which is also the
  /// default here.
  ///
  /// - `.useProtocolCachePolicy`: RFC 9111. What is fresh is used; what is stale is validated by a conditional request
  ///   first, and after a 304 the delegate sees the stored response with status 200.
  /// - `.reloadIgnoringLocalCacheData`: nothing stored is used; the response may be stored.
  /// - `.reloadIgnoringLocalAndRemoteCacheData`: likewise, and caches on the way are asked for a new response.
  /// - `.returnCacheDataElseLoad`: what is stored is used whatever its age.
  /// - `.returnCacheDataDontLoad`: likewise, and without it the task ends with -1008.
  /// - `.reloadRevalidatingCacheData`: what is stored is used once the server has confirmed it.
  ///
  /// A request with a Range, a condition or an Authorization field of its own goes past the cache.
  public var requestCachePolicy: NSURLRequest.CachePolicy {
    get { values.withLock { $0.cachePolicy } }
    set { values.withLock { $0.cachePolicy = newValue } }
  }
}
