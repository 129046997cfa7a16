// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// The shared session fetches and parses a small JSON document. The handler
/// looks at error and status before the data.
enum SharedJSON {
  static func run(_ app: ExampleContext) {
    // begin guarded
    let session = URLSession.shared
    let task = session.dataTask(with: app.url) { data, response, error in
      let status = (response as? HTTPURLResponse)?.statusCode
      if let data, status == 200,  // ←
        let object = try? JSONSerialization.jsonObject(with: data),
        let lesson = (object as? [String: Any])?["lesson"]
      {
        print("the document names lesson \(lesson)")
      } else {
        print("failed: \(error?.localizedDescription ?? "no document")")
      }
      app.quit()
    }
    task.resume()
    // end guarded
    app.runApplication()
  }
}
