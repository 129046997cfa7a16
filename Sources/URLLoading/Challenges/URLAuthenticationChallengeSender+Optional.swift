// SPDX-License-Identifier: Apache-2.0
public import FoundationNetworking

/// The two methods that a sender of Apple's may leave out. The toolchain's protocol has no optional ones, so a program's own
/// sender without them would not compile.
extension URLAuthenticationChallengeSender {
  /// Continues without a credential, as a load does by default when no storage has one.
  public func performDefaultHandling(for challenge: URLAuthenticationChallenge) {
    continueWithoutCredential(for: challenge)
  }

  /// Continues without a credential: such a sender knows of no other protection space.
  public func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {
    continueWithoutCredential(for: challenge)
  }
}
