// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The key in an error's `userInfo` under which the reason stands why no network was good enough, as the raw value of a
/// `URLError.NetworkUnavailableReason`.
public let NSURLErrorNetworkUnavailableReasonKey = "NSURLErrorNetworkUnavailableReasonKey"

/// The key in an error's `userInfo` under which the URL that failed stands as a text, where it stands as a URL under
/// `NSURLErrorFailingURLErrorKey`.
///
/// `NSURLErrorFailingURLStringErrorKey`, Apple's newer name for the same key, is the toolchain's here, which marks it as deprecated.
public let NSErrorFailingURLStringKey = "NSErrorFailingURLStringKey"

/// The values that Apple's `URLError` has and the toolchain's does not.
extension URLError {
  /// Why a task in the background was cancelled.
  public enum BackgroundTaskCancelledReason: Int, Sendable {
    /// The user ended the app.
    case userForceQuitApplication = 0
    /// Updates in the background are switched off.
    case backgroundUpdatesDisabled = 1
    /// The system was short of something.
    case insufficientSystemResources = 2
  }

  /// Why the network that there is was not good enough.
  public enum NetworkUnavailableReason: Int, Sendable {
    /// It is a cellular one.
    case cellular = 0
    /// It is expensive.
    case expensive = 1
    /// It is to be used sparingly.
    case constrained = 2
  }

  /// The certificates of the server that was not trusted; nil where the error is about something else.
  public var failureURLPeerTrust: SecTrust? { userInfo[NSURLErrorFailingURLPeerTrustErrorKey] as? SecTrust }

  /// The value of `NSURLErrorBackgroundTaskCancelledReasonKey`. In errors of ours `insufficientSystemResources` where the
  /// agent's disk has no room to keep the task (-999), else nil: no system here ends tasks of background sessions.
  public var backgroundTaskCancelledReason: BackgroundTaskCancelledReason? {
    (userInfo[NSURLErrorBackgroundTaskCancelledReasonKey] as? Int).flatMap { .init(rawValue: $0) }
  }

  /// The value of `NSURLErrorNetworkUnavailableReasonKey`; in errors of ours nil, since on Linux every network is good enough.
  public var networkUnavailableReason: NetworkUnavailableReason? {
    (userInfo[NSURLErrorNetworkUnavailableReasonKey] as? Int).flatMap { .init(rawValue: $0) }
  }
}
