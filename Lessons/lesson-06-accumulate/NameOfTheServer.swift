// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The file gets the name that the response suggests, in the folder for
/// downloads.
enum NameOfTheServer {
  static func run(_ app: ExampleContext) {
    let folder = app.scratch.appendingPathComponent("downloads")
    let request = URLRequest(url: app.url)
    NSURLConnection.sendAsynchronousRequest(request, queue: .main) {
      response, data, error in
      do {
        if let error { throw error }
        try save(data, response, in: folder)
      } catch {
        print("failed: \(error.localizedDescription)")
      }
      app.quit()
    }
    app.runApplication()
  }

  // begin name
  private static func save(
    _ data: Data?, _ response: URLResponse?, in folder: URL
  ) throws {
    guard let http = response as? HTTPURLResponse, http.statusCode == 200,
      let name = http.suggestedFilename  // ←
    else { throw URLError(.badServerResponse) }
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent(name)
    try data?.write(to: file, options: .atomic)
    print("saved as \(name)")
  }
  // end name
}
