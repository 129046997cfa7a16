// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The file gets the name that the response suggests, in the folder for
/// downloads.
enum NameOfTheServer {
  static func run(_ app: ExampleContext) {
    let folder = app.scratch.appendingPathComponent("downloads")
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true)
    let request = URLRequest(url: app.url)
    NSURLConnection.sendAsynchronousRequest(request, queue: .main) {
      response, data, error in
      let name = response?.suggestedFilename ?? "download"
      print("suggested: \(name)")
      try? data?.write(to: folder.appendingPathComponent(name))
      app.quit()
    }
    app.runApplication()
  }
}
