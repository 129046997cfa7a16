// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The same policies with tasks of the shared session.
enum PolicyOfTask {
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
    show("nothing stored", app.url("\(path)60&n=1"), policy)
    for (state, address) in [
      ("fresh", app.url("\(path)60&n=2")), ("stale", app.url("\(path)0&n=3")),
    ] {
      show("\(state), first", address, .useProtocolCachePolicy)
      show(state, address, policy)
    }
  }

  private static let path = "/cached?etag=v1&control=max-age%3D"

  private static func show(
    _ name: String, _ url: URL, _ policy: URLRequest.CachePolicy
  ) {
    let hasEnded = DispatchSemaphore(value: 0)
    let request = URLRequest(
      url: url, cachePolicy: policy, timeoutInterval: 5)
    let task = URLSession.shared.dataTask(with: request) { data, _, error in
      let text = String(decoding: data ?? Data(), as: UTF8.self)
      let failure = error.map { "failed: \(($0 as NSError).code)" }
      let answer = text.trimmingCharacters(in: .newlines)
      print("\(name): \(failure ?? answer)")
      hasEnded.signal()
    }
    task.resume()
    hasEnded.wait()
  }
}
