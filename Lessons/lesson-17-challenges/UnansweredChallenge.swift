// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Forms in which no method of the program is called for the password.
enum UnansweredChallenge {
  /// Defective: the synchronous call has no delegate, so the 401 comes back
  /// as a response, without an error.
  static func synchronous(_ app: ExampleContext) {
    load(app)
  }

  // begin queue-401
  /// Defective: the handler has no delegate either. The 401 comes as an error
  /// beside the body; the response is nil.
  static func queue(_ app: ExampleContext) {
    NSURLConnection.sendAsynchronousRequest(
      URLRequest(url: app.url), queue: .main
    ) { response, data, error in
      let bytes = data?.count ?? 0
      print("\(response == nil ? "no" : "a") response, \(bytes) bytes")
      if let error {
        print("failed: \((error as NSError).code)")  // ←
      }
      app.quit()
    }
    app.runApplication()
  }
  // end queue-401

  // begin stored
  /// The way out: a credential that was stored before.
  static func stored(_ app: ExampleContext) {
    let space = URLProtectionSpace(
      host: app.url.host ?? "", port: app.url.port ?? 80, protocol: "http",
      realm: "lesson",
      authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
    let credential = URLCredential(
      user: "lesson", password: "secret", persistence: .forSession)
    URLCredentialStorage.shared.setDefaultCredential(
      credential, for: space)  // ←
    load(app)
  }
  // end stored

  private static func load(_ app: ExampleContext) {
    var response: URLResponse?
    do {
      _ = try NSURLConnection.sendSynchronousRequest(
        URLRequest(url: app.url), returning: &response)
      print("status \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    } catch {
      print("failed: \((error as NSError).code)")
    }
  }
}
