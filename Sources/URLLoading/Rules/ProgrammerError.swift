// SPDX-License-Identifier: Apache-2.0

/// A programmer error, where Apple raises an exception, which Swift cannot catch, the program ends.
package enum ProgrammerError {
  /// Ends the program behind a sentence for the log. A release build drops the text of a failed precondition, so it is said
  /// before.
  package static func stop(_ label: String, _ sentence: String) -> Never {
    URLLoadingLog.say(.critical, label, sentence)
    preconditionFailure(sentence)
  }
}
