// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// What a request says of itself: whether an answer may come from the cache,
/// and how long the server may be silent.
enum RequestPolicy {
  static func run(_ app: ExampleContext) {
    load("first", app.url, .useProtocolCachePolicy)
    load("again", app.url, .useProtocolCachePolicy)
    load("reload", app.url, .reloadIgnoringLocalCacheData)
    load("cache only", app.url, .returnCacheDataDontLoad)
    load("silent server", app.url("/never"), .useProtocolCachePolicy)
  }

  private static func load(
    _ name: String, _ url: URL, _ policy: URLRequest.CachePolicy
  ) {
    let request = URLRequest(
      url: url, cachePolicy: policy, timeoutInterval: 1)
    do {
      let data = try NSURLConnection.sendSynchronousRequest(
        request, returning: nil)
      print("\(name): \(String(decoding: data, as: UTF8.self))")
    } catch {
      print("\(name): failed with \((error as NSError).code)")
    }
  }
}
