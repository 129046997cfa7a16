// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A connection's delegate that prints each question about a request, and
/// leaves the answer to the example.
final class AskingDelegate: NSObject, NSURLConnectionDataDelegate {
  typealias Answer = (URLRequest, HTTPURLResponse?) -> URLRequest?

  private let app: ExampleContext
  private let answer: Answer
  private var received = 0

  init(_ app: ExampleContext, answer: @escaping Answer) {
    (self.app, self.answer) = (app, answer)
  }

  // begin question
  func connection(
    _ connection: NSURLConnection, willSend request: URLRequest,
    redirectResponse response: URLResponse?
  ) -> URLRequest? {
    let redirect = response as? HTTPURLResponse
    print(
      redirect.map { "asked about a \($0.statusCode)" }
        ?? "asked before the first request")  // ←
    return answer(request, redirect)
  }
  // end question

  func connection(
    _ connection: NSURLConnection, didReceive response: URLResponse
  ) {
    print("status \((response as? HTTPURLResponse)?.statusCode ?? 0)")
  }

  func connection(_ connection: NSURLConnection, didReceive data: Data) {
    received += data.count
  }

  func connectionDidFinishLoading(_ connection: NSURLConnection) {
    print("received \(received) bytes")
    app.quit()
  }

  func connection(
    _ connection: NSURLConnection, didFailWithError error: any Error
  ) {
    print("failed: \((error as NSError).code)")
    app.quit()
  }
}
