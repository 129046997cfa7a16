// SPDX-License-Identifier: Apache-2.0

/// A figure of an example that a report has a column for.
public enum Metric: String, Codable, Sendable, Hashable, CaseIterable {
  /// How the job ended, in a word.
  case end
  /// The error that ended the job, by its code.
  case error
  /// Seconds from start to end.
  case time
  /// How far resident memory rose above the baseline.
  case peak
  /// How far resident memory lay above the baseline when the program printed its last line, or else ended.
  case left
  /// The threads that the callbacks came on.
  case callbacks
  /// How many callbacks the delegate and the handlers received.
  case callbackCount
  /// How many of them came during the touch.
  case touchCallbacks
  /// How many requests reached the server.
  case requests
  /// How many of them carried a credential.
  case credentials
  /// The values of the field X-Program of its requests, each with how often.
  case program
  /// The status that the server answered the last request with.
  case status
  /// How many sockets they came on.
  case sockets
  /// Body bytes that the server received with the last request.
  case lastBody
  /// The longest time that the main run loop left a heartbeat unanswered.
  case silence
  /// The product of the program, compared with the reference.
  case product
  /// The last line that the program printed.
  case lastLine
}
