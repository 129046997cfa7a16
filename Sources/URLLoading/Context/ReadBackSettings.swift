// SPDX-License-Identifier: Apache-2.0
package import FoundationNetworking

/// The settings that a program makes on a configuration and reads back, and that no load uses; under Apple's names, with
/// Apple's defaults.
package struct ReadBackSettings: Equatable, Sendable {
  /// The name of a background session; nil for all others.
  package var identifier: String?
  /// True if a background session starts its program again.
  package var sessionSendsLaunchEvents = true
  package var networkServiceType = NSURLRequest.NetworkServiceType.default
  package var allowsCellularAccess = true
  package var allowsExpensiveNetworkAccess = true
  package var allowsConstrainedNetworkAccess = true
  package var allowsUltraConstrainedNetworkAccess = false
  package var isDiscretionary = false
  package var sharedContainerIdentifier: String?
  package var httpShouldUsePipelining = false
  package var shouldUseExtendedBackgroundIdleMode = false
  /// `URLSessionConfiguration.MultipathServiceType`, by its raw value.
  package var multipathServiceType = 0
  package var requiresDNSSECValidation = false
  package var usesClassicLoadingMode = true
  package var enablesEarlyData = false
}
