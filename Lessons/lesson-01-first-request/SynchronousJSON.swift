// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Address, request, connection: the three steps of note N1, for a small JSON
/// document. Error and status are looked at before the data.
enum SynchronousJSON {
  static func run(_ app: ExampleContext) {
    let request = URLRequest(
      url: app.url, cachePolicy: .useProtocolCachePolicy,
      timeoutInterval: 60)
    do {
      var response: URLResponse?
      let data = try NSURLConnection.sendSynchronousRequest(
        request, returning: &response)
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      guard status == 200 else { return print("failed: status \(status)") }
      let object = try JSONSerialization.jsonObject(with: data)
      let lesson = (object as? [String: Any])?["lesson"] ?? "nothing"
      print("the document names lesson \(lesson)")
    } catch {
      print("failed: \(error.localizedDescription)")
    }
  }
}
