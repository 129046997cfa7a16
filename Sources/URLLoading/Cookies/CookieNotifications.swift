// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension NSNotification.Name {
  /// A cookie store's policy of acceptance was changed.
  ///
  /// Difference from Apple: never posted, since the toolchain's store does not report changes of its policy.
  public static let NSHTTPCookieManagerAcceptPolicyChanged = NSNotification.Name(
    "NSHTTPCookieManagerAcceptPolicyChangedNotification")
}
