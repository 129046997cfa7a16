// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The delegate is shown the response before it is stored, and may change it.
enum StoredResponse {
  static func asProposed(_ app: ExampleContext) {
    load(app) { $0 }
  }

  // begin answers
  /// nil: nothing is stored.
  static func refused(_ app: ExampleContext) {
    load(app) { _ in nil }  // ←
  }

  /// In memory only, with a note of the program's own.
  static func annotated(_ app: ExampleContext) {
    load(app) { proposed in
      CachedURLResponse(
        response: proposed.response, data: proposed.data,
        userInfo: ["note": "seen"],
        storagePolicy: .allowedInMemoryOnly)  // ←
    }
  }
  // end answers

  private static func load(
    _ app: ExampleContext, answer: @escaping ShownLoad.Answer
  ) {
    let request = URLRequest(url: app.url)
    _ = ShownLoad(answer: answer).text(of: request)
    guard let stored = URLCache.shared.cachedResponse(for: request) else {
      return print("stored: nothing")
    }
    print("stored: \(stored.data.count) bytes")
    print("note: \(stored.userInfo?["note"] ?? "none")")
    print("in memory only: \(stored.storagePolicy == .allowedInMemoryOnly)")
  }
}
