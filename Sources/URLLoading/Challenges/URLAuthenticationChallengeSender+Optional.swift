// SPDX-License-Identifier: Apache-2.0
public import FoundationNetworking

/// The two methods that a sender of Apple's may leave out. The toolchain's protocol has no optional ones, so a program's own
/// sender without them would not compile.
extension URLAuthenticationChallengeSender {
  /// Goes on without a credential, which is what the default is where nobody has one.
  public func performDefaultHandling(for challenge: URLAuthenticationChallenge) {
    continueWithoutCredential(for: challenge)
  }

  /// Goes on without a credential: a sender that knows no other offer has none to try next.
  public func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {
    continueWithoutCredential(for: challenge)
  }
}
