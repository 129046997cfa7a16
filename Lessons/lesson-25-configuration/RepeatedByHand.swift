// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A connection has no environment: the program sets on each request what all
/// requests have in common.
enum RepeatedByHand {
  static func run(_ app: ExampleContext) {
    // begin repeated
    for _ in 1...3 {
      var request = URLRequest(
        url: app.url, cachePolicy: .useProtocolCachePolicy,
        timeoutInterval: 5)
      request.setValue("lesson/25", forHTTPHeaderField: "X-Program")  // ←
      load(request)
    }
    // end repeated
  }

  private static func load(_ request: URLRequest) {
    do {
      let data = try NSURLConnection.sendSynchronousRequest(
        request, returning: nil)
      print("received \(data.count) bytes")
    } catch {
      print("failed: \(error.localizedDescription)")
    }
  }
}
