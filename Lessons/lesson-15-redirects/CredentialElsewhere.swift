// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A request with a credential is redirected to another host.
enum CredentialElsewhere {
  /// The delegate leaves the proposed request alone.
  static func leftAlone(_ app: ExampleContext) {
    load(app) { proposed, _ in proposed }
  }

  // begin put-back
  /// Defective: puts the credential back, whatever the host is.
  static func putBack(_ app: ExampleContext) {
    load(app) { proposed, _ in
      var request = proposed
      request.setValue(secret, forHTTPHeaderField: "Authorization")  // ←
      return request
    }
  }
  // end put-back

  // begin same-host
  /// Puts it back where the host is the one it is meant for.
  static func keptAtHome(_ app: ExampleContext) {
    load(app) { proposed, _ in
      var request = proposed
      if request.url?.host == app.url.host {  // ←
        request.setValue(secret, forHTTPHeaderField: "Authorization")
      }
      return request
    }
  }
  // end same-host

  private static let secret = "Bearer secret"

  private static func load(
    _ app: ExampleContext, answer: @escaping AskingDelegate.Answer
  ) {
    var request = URLRequest(url: app.url)
    request.setValue(secret, forHTTPHeaderField: "Authorization")
    let delegate = AskingDelegate(app, answer: answer)
    _ = NSURLConnection(request: request, delegate: delegate)
    app.runApplication()
  }
}
