// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A program that wants the server's newest answer, and nothing stored. It
/// loads one address twice; the response is stale at once.
enum NothingKept {
  // begin number
  /// As N1 writes it: a storage policy as the request's cache policy. In
  /// Objective-C both are numbers, and 2 is this cache policy.
  static func storagePolicyAsCachePolicy(_ app: ExampleContext) {
    let number = URLCache.StoragePolicy.notAllowed.rawValue
    print("NSURLCacheStorageNotAllowed is \(number)")
    load(app, .returnCacheDataElseLoad) { $0 }  // ←
  }
  // end number

  // begin nothing-kept
  /// What was meant: asks the server, and stores nothing.
  static func meant(_ app: ExampleContext) {
    load(app, .reloadIgnoringLocalCacheData) { _ in nil }  // ←
  }
  // end nothing-kept

  private static func load(
    _ app: ExampleContext, _ policy: URLRequest.CachePolicy,
    answer: @escaping ShownLoad.Answer
  ) {
    let url = app.url("/cached?control=max-age%3D0&etag=v1")
    let request = URLRequest(
      url: url, cachePolicy: policy, timeoutInterval: 5)
    for visit in ["first", "second"] {
      let load = ShownLoad(answer: answer)
      print("\(visit): \(load.text(of: request))")
    }
    let stored = URLCache.shared.cachedResponse(for: request)
    print(stored == nil ? "nothing is stored" : "a response is stored")
  }
}
