// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension NSNotification.Name {
  /// A storage's policy of acceptance was changed. The object is the storage; posted on the thread that changed it.
  public static let NSHTTPCookieManagerAcceptPolicyChanged = NSNotification.Name(
    "NSHTTPCookieManagerAcceptPolicyChangedNotification")
}
