// SPDX-License-Identifier: Apache-2.0

/// A path of the lesson server and what it does there.
public struct Route: Sendable {
  /// The server's answer to a request.
  public enum Answer: Sendable {
    /// The same each time.
    case script(Script)
    /// The first script for the first request, the second for the second, and so on; the last one ever after.
    case sequence([Script])
    /// The script that this function returns; it is called on the connection's thread, after the body was read.
    case function(@Sendable (Request) -> Script)
    /// The script that this function returns; it is called as soon as the head is there, before the body is read.
    case early(@Sendable (Request) -> Script)
  }

  /// The only method answered here, or nil for any.
  public let method: String?
  /// The path without query; a `*` at its end stands for any rest.
  public let path: String
  /// One line for the list of routes.
  public let summary: String
  let answer: Answer

  /// A route with any answer.
  public init(method: String? = nil, _ path: String, summary: String = "", answer: Answer) {
    self.method = method
    self.path = path
    self.summary = summary
    self.answer = answer
  }

  /// A route that does the same each time.
  public init(method: String? = nil, _ path: String, summary: String = "", script: Script) {
    self.init(method: method, path, summary: summary, answer: .script(script))
  }

  /// A route that does what the function says.
  public init(_ path: String, summary: String = "", _ function: @escaping @Sendable (Request) -> Script) {
    self.init(path, summary: summary, answer: .function(function))
  }
}
