// SPDX-License-Identifier: Apache-2.0

/// The task that a child process is given; it travels as the child's one argument, in JSON.
struct ExampleInvocation: Codable, Sendable, Hashable {
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
  /// The most bytes that a file may have, as on a disk that is full beyond them; nil for no limit.
  var fileLimit: Int?
  /// When the person touches the screen, nil when not at all or when the example itself says so.
  var touch: Circumstances.Stretch?
  /// When the main thread is busy with something else, nil when not at all.
  var busy: Circumstances.Stretch?
  /// The limits that the kernel sets to the process; nil for none.
  var limits: ProgramLimits?
  /// The program's name in an executable that has several; nil for one that has the lessons.
  var program: String?
  /// Seconds that the main loop still runs after the program's end; nil for what the example says.
  var aftermath: Double?
  /// Seconds after which the child delivers what it has.
  var limit: Double
}
