// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A programmer error, where Apple raises an exception, which Swift cannot catch, the program ends.
package enum ProgrammerError {
  /// Ends the program with a sentence on standard error. A release build drops the text of a failed precondition, so it is
  /// written before.
  package static func stop(_ api: String, _ sentence: String) -> Never {
    say(api, sentence)
    preconditionFailure(sentence)
  }

  /// Writes a sentence for the programmer to standard error.
  package static func say(_ api: String, _ sentence: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\(api): \(sentence)\n".utf8))
  }
}
