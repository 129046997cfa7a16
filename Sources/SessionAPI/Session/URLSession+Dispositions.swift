// SPDX-License-Identifier: Apache-2.0

extension URLSession {
  /// The handling that a data delegate wants for a response's body.
  public enum ResponseDisposition: Int, Sendable {
    /// End the task with -999.
    case cancel = 0
    /// Receive the body.
    case allow = 1
    /// Write the body to a file: a download task takes the data task's place.
    case becomeDownload = 2
    /// Read the body at will: a stream task takes the data task's place.
    case becomeStream = 3
  }

  /// The handling that a delegate wants for a challenge.
  public enum AuthChallengeDisposition: Int, Sendable {
    /// Continue with the credential given; with nil continue without one.
    case useCredential = 0
    /// As if the method was not implemented: a credential from the URL or the storage, if there is one that was not
    /// refused; otherwise the 401 is the response. For a server's trust the system's judgement. The credential given is
    /// ignored.
    case performDefaultHandling = 1
    /// End the task with -999. The credential given is ignored.
    case cancelAuthenticationChallenge = 2
    /// Not in this protection space: the next challenge of the same response comes, or, when there is none, the 401 is
    /// the response. The credential given is ignored.
    case rejectProtectionSpace = 3
  }

  /// The handling that a delegate wants for a task of a background session that is about to begin, later than it was resumed.
  public enum DelayedRequestDisposition: Int, Sendable {
    /// Send the task's own request. Another one given is ignored.
    case continueLoading = 0
    /// Send the request given in its place; with nil the task's own.
    case useNewRequest = 1
    /// End the task with -999. The request given is ignored.
    case cancel = 2
  }
}
