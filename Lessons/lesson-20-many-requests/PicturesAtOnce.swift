// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Ten pictures, all asked for at once. Each handler knows its place.
enum PicturesAtOnce {
  static func run(_ app: ExampleContext) {
    load(Screen(app))
    app.runApplication()
  }

  // begin at-once
  private static func load(_ screen: Screen) {
    for place in Screen.places {  // ←
      let request = URLRequest(url: screen.address(of: place))
      NSURLConnection.sendAsynchronousRequest(request, queue: .main) {
        _, data, error in
        screen.show(data, at: place, error)
      }
    }
  }
  // end at-once
}
