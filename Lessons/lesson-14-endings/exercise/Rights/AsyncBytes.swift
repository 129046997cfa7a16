// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Right: async/await; the bytes come after the response, so an error there is a cut.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Task {
      var words: [String] = []
      for number in 1...9 { words.append(await word(app.url("\(number)"))) }
      app.result(words.joined(separator: " "))
      app.quit()
    }
    app.runApplication()
  }

  private static func word(_ url: URL) async -> String {
    let request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 2)
    do {
      let (bytes, response) = try await URLSession.shared.bytes(for: request)
      do { for try await _ in bytes {} } catch { return "cut" }
      let status = (response as? HTTPURLResponse)?.statusCode
      return [200: "whole", 204: "empty", 404: "missing", 503: "unable"][status] ?? "unknown"
    } catch let error as URLError {
      return [.timedOut: "late", .cannotConnectToHost: "nobody", .unsupportedURL: "unsupported"][error.code] ?? "lost"
    } catch {
      return "lost"
    }
  }
}
