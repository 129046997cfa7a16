// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Ten pictures as N2 advises: each request waits for the one before it.
enum PicturesOneByOne {
  static func run(_ app: ExampleContext) {
    load(Screen.places.lowerBound, of: Screen(app))
    app.runApplication()
  }

  // begin one-by-one
  private static func load(_ place: Int, of screen: Screen) {
    let request = URLRequest(url: screen.address(of: place))
    NSURLConnection.sendAsynchronousRequest(request, queue: .main) {
      _, data, error in
      screen.show(data, at: place, error)
      if place < Screen.places.upperBound {
        load(place + 1, of: screen)  // ←
      }
    }
  }
  // end one-by-one
}
