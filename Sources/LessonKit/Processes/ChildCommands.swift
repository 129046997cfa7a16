// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// The hidden subcommands by which an executable starts itself again as lesson server or as an example's process.
public enum ChildCommands {
  static let server = "_server"
  static let example = "_example"

  /// Becomes a child process, and never returns, when the arguments ask for one; does nothing otherwise. Call it first
  /// thing on the main thread.
  public static func enterIfAsked(_ arguments: [String] = CommandLine.arguments, lessons: @autoclosure () -> [Lesson]) {
    guard arguments.count > 1 else { return }
    switch arguments[1] {
    case server:
      ServerChild.run()
    case example where arguments.count == 3:
      guard let invocation = try? JSONDecoder().decode(ExampleInvocation.self, from: Data(arguments[2].utf8)) else {
        exit(64)
      }
      ExampleChild.run(invocation, from: lessons())
    default:
      return
    }
  }
}
