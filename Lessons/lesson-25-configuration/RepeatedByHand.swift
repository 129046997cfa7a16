// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A connection has no environment: whatever all requests have in common must
/// be said on each.
enum RepeatedByHand {
  static func run(_ app: ExampleContext) {
    for _ in 1...3 {
      var request = URLRequest(
        url: app.url, cachePolicy: .useProtocolCachePolicy,
        timeoutInterval: 5)
      request.setValue("lesson/25", forHTTPHeaderField: "X-Program")
      let data = try? NSURLConnection.sendSynchronousRequest(
        request, returning: nil)
      print("received \(data?.count ?? 0) bytes")
    }
  }
}
