// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// What is about to be stored is shown to the delegate, which may change it.
enum StoredResponse {
  static func asItIs(_ app: ExampleContext) {
    load(app) { $0 }
  }

  /// nil: nothing is stored.
  static func refused(_ app: ExampleContext) {
    load(app) { _ in nil }
  }

  /// In memory only, with a note of the program's own.
  static func annotated(_ app: ExampleContext) {
    load(app) { proposed in
      CachedURLResponse(
        response: proposed.response, data: proposed.data,
        userInfo: ["note": "seen"], storagePolicy: .allowedInMemoryOnly)
    }
  }

  typealias Answer = (CachedURLResponse) -> CachedURLResponse?

  private static func load(_ app: ExampleContext, answer: @escaping Answer) {
    let request = URLRequest(url: app.url)
    _ = NSURLConnection(request: request, delegate: Load(app, answer))
    app.runApplication()
    let stored = URLCache.shared.cachedResponse(for: request)
    print("stored: \(stored.map { "\($0.data.count) bytes" } ?? "nothing")")
    print("note: \(stored?.userInfo?["note"] ?? "none")")
    let isInMemory = stored?.storagePolicy == .allowedInMemoryOnly
    print("in memory only: \(isInMemory)")
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private let answer: Answer
    init(_ app: ExampleContext, _ answer: @escaping Answer) {
      (self.app, self.answer) = (app, answer)
    }
    func connection(
      _ connection: NSURLConnection,
      willCacheResponse cachedResponse: CachedURLResponse
    ) -> CachedURLResponse? {
      answer(cachedResponse)
    }
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      app.quit()
    }
  }
}
