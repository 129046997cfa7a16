// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A delegate that collects the text, and leaves what is stored to the
/// example.
final class ShownLoad: NSObject, NSURLConnectionDataDelegate {
  typealias Answer = (CachedURLResponse) -> CachedURLResponse?

  private let answer: Answer
  private var body = Data()
  private var isOver = false

  init(answer: @escaping Answer) {
    self.answer = answer
  }

  /// Loads, and returns the text when the load has ended.
  func text(of request: URLRequest) -> String {
    _ = NSURLConnection(request: request, delegate: self)
    while !isOver {
      _ = RunLoop.main.run(mode: .default, before: .distantFuture)
    }
    let text = String(decoding: body, as: UTF8.self)
    return text.trimmingCharacters(in: .newlines)
  }

  func connection(_ connection: NSURLConnection, didReceive data: Data) {
    body.append(data)
  }

  func connection(
    _ connection: NSURLConnection,
    willCacheResponse cachedResponse: CachedURLResponse
  ) -> CachedURLResponse? {
    answer(cachedResponse)
  }

  func connectionDidFinishLoading(_ connection: NSURLConnection) {
    isOver = true
  }

  func connection(
    _ connection: NSURLConnection, didFailWithError error: any Error
  ) {
    print("failed: \((error as NSError).code)")
    isOver = true
  }
}
