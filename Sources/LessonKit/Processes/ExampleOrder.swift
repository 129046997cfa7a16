// SPDX-License-Identifier: Apache-2.0

/// What a child process is asked to do; it travels as the child's one argument, in JSON.
struct ExampleOrder: Codable, Sendable, Hashable {
  /// The lesson's id.
  var lesson: String
  /// The example's id.
  var example: String
  /// The address the example is given.
  var url: String
  /// The address of a small first load, nil when there is no server.
  var warmUpURL: String?
  /// The folder the example may write to.
  var scratch: String
  /// Seconds after which the child delivers what it has.
  var limit: Double
}
