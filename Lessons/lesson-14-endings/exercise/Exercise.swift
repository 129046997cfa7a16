// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Loads nine addresses, one after the other, and hands in one word for each: how that load ended.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    Loads(app).next()
    app.runApplication()
  }
}

/// Sendable: it is used on the main thread alone.
final class Loads: @unchecked Sendable {
  private let app: ExerciseContext
  private var words: [String] = []
  private let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: .main)

  init(_ app: ExerciseContext) { self.app = app }

  func next() {
    guard words.count < 9 else {
      app.result(words.joined(separator: " "))
      return app.quit()
    }
    var request = URLRequest(url: app.url("\(words.count + 1)"))
    request.timeoutInterval = 2
    let task = session.dataTask(with: request) { _, response, error in
      self.words.append(Self.word(response, error))
      self.next()
    }
    task.resume()
  }

  private static func word(_ response: URLResponse?, _ error: (any Error)?) -> String {
    // TODO: this takes every response for a success and gives all errors one word. Mend it.
    response == nil ? "failed" : "whole"
  }
}
