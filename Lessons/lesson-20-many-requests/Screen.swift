// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// A screen with ten places for pictures; it is changed on the main thread.
final class Screen: @unchecked Sendable {
  // Sendable: only handlers on the main queue call show.
  static let places = 1...10

  private let app: ExampleContext
  private var pictures: [Int: Data] = [:]

  init(_ app: ExampleContext) { self.app = app }

  /// Where the picture for a place lies. The server is slower with every
  /// other one.
  func address(of place: Int) -> URL {
    let delay = place % 2 == 0 ? 0.1 : 0.2
    return app.url("/body?size=\(1000 + place)&delay=\(delay)")
  }

  /// Shows a picture, or that it could not be loaded.
  func show(_ picture: Data?, at place: Int, _ error: (any Error)?) {
    if let error { print("failed: \(error.localizedDescription)") }
    print("place \(place): \(picture?.count ?? 0) bytes")
    pictures[place] = picture ?? Data()
    if pictures.count == Self.places.count {
      print("the screen is complete")
      app.quit()
    }
  }
}
