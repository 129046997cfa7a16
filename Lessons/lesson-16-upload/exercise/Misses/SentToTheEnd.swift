// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import SessionAPI

/// Asks for the way with a HEAD and sends the file once, to its end: nobody is ever redirected or asked while sending.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let file = app.scratch.appendingPathComponent("upload")
    var question = URLRequest(url: app.url)
    question.httpMethod = "HEAD"
    let session = URLSession(configuration: .ephemeral)
    let task = session.dataTask(with: question) { _, response, _ in
      var request = URLRequest(url: response?.url ?? app.url)
      request.httpMethod = "POST"
      let login = Data("lesson:secret".utf8).base64EncodedString()
      request.setValue("Basic \(login)", forHTTPHeaderField: "Authorization")
      let upload = session.uploadTask(with: request, fromFile: file) { _, _, error in
        print(error.map { "failed: \($0.localizedDescription)" } ?? "sent")
        app.quit()
      }
      upload.resume()
    }
    task.resume()
    app.runApplication()
  }
}
