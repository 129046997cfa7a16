// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// One cache policy, tried with nothing stored, with a fresh response and
/// with a stale one. The server numbers its answers.
enum PolicyOfConnection {
  static func byProtocol(_ app: ExampleContext) {
    load(app, .useProtocolCachePolicy)
  }
  static func reload(_ app: ExampleContext) {
    load(app, .reloadIgnoringLocalCacheData)
  }
  static func reloadEverywhere(_ app: ExampleContext) {
    load(app, .reloadIgnoringLocalAndRemoteCacheData)
  }
  static func cacheElseLoad(_ app: ExampleContext) {
    load(app, .returnCacheDataElseLoad)
  }
  static func cacheOnly(_ app: ExampleContext) {
    load(app, .returnCacheDataDontLoad)
  }
  static func revalidate(_ app: ExampleContext) {
    load(app, .reloadRevalidatingCacheData)
  }

  private static func load(
    _ app: ExampleContext, _ policy: URLRequest.CachePolicy
  ) {
    print("nothing stored: \(answer(app.url("\(path)60&n=1"), policy))")
    for (state, address) in [
      ("fresh", app.url("\(path)60&n=2")), ("stale", app.url("\(path)0&n=3")),
    ] {
      print("\(state), first: \(answer(address, .useProtocolCachePolicy))")
      print("\(state): \(answer(address, policy))")
    }
  }

  private static let path = "/cached?etag=v1&control=max-age%3D"

  private static func answer(
    _ url: URL, _ policy: URLRequest.CachePolicy
  ) -> String {
    let request = URLRequest(
      url: url, cachePolicy: policy, timeoutInterval: 5)
    do {
      let data = try NSURLConnection.sendSynchronousRequest(
        request, returning: nil)
      let text = String(decoding: data, as: UTF8.self)
      return text.trimmingCharacters(in: .newlines)
    } catch {
      return "failed: \((error as NSError).code)"
    }
  }
}
