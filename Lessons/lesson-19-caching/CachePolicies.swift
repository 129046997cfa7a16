// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// One address, every policy. Each load says which answer of the server's it
/// was given.
enum CachePolicies {
  private static let policies: [(String, URLRequest.CachePolicy)] = [
    ("first", .useProtocolCachePolicy),
    ("by protocol", .useProtocolCachePolicy),
    ("reload", .reloadIgnoringLocalCacheData),
    ("reload, all caches", .reloadIgnoringLocalAndRemoteCacheData),
    ("cache, else load", .returnCacheDataElseLoad),
    ("cache, no load", .returnCacheDataDontLoad),
    ("revalidate", .reloadRevalidatingCacheData),
  ]

  static func run(_ app: ExampleContext) {
    for (name, policy) in policies {
      let request = URLRequest(
        url: app.url, cachePolicy: policy, timeoutInterval: 5)
      let data = try? NSURLConnection.sendSynchronousRequest(
        request, returning: nil)
      print("\(name): \(String(decoding: data ?? Data(), as: UTF8.self))")
    }
  }
}
