// SPDX-License-Identifier: Apache-2.0

extension URLSession {
  /// What a delegate wants done about a challenge.
  public enum AuthChallengeDisposition: Int, Sendable {
    /// Go on with the credential given; with nil go on without one.
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
}
