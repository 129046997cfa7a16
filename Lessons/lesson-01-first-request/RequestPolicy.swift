// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// What a request says of itself: whether an answer may come from the cache,
/// and how long the server may be silent.
enum RequestPolicy {
  /// The server counts its answers; a stored one has an old number.
  static func caching(_ app: ExampleContext) {
    load("first", app.url, .useProtocolCachePolicy)
    load("again", app.url, .useProtocolCachePolicy)
    load("reload", app.url, .reloadIgnoringLocalCacheData)
    load("cache only", app.url, .returnCacheDataDontLoad)
  }

  /// The server never answers.
  static func patience(_ app: ExampleContext) {
    load("silent server", app.url, .useProtocolCachePolicy)
  }

  private static func load(
    _ name: String, _ url: URL, _ policy: URLRequest.CachePolicy
  ) {
    print("\(name): start")
    // begin request
    let request = URLRequest(
      url: url, cachePolicy: policy, timeoutInterval: 1)  // ←
    // end request
    do {
      var response: URLResponse?
      let data = try NSURLConnection.sendSynchronousRequest(
        request, returning: &response)
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      let text = String(decoding: data, as: UTF8.self)
      print("\(name): \(text.split(separator: "\n").joined()), \(status)")
    } catch {
      print("\(name): failed, \(error.localizedDescription)")
    }
  }
}
