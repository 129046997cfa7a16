// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking

extension LoadConfiguration: Equatable {
  /// True if loads would be the same: values by what they are, stores and classes by which they are.
  package static func == (one: LoadConfiguration, other: LoadConfiguration) -> Bool {
    one.wire == other.wire && one.readBack == other.readBack
      && one.cookieStorage === other.cookieStorage && one.cookieAcceptPolicy == other.cookieAcceptPolicy
      && one.sendsCookies == other.sendsCookies
      && one.cache === other.cache && one.followsSharedCache == other.followsSharedCache
      && one.cachePolicy == other.cachePolicy
      && one.waitsForConnectivity == other.waitsForConnectivity
      && one.protocolClasses?.map { ObjectIdentifier($0) } == other.protocolClasses?.map { ObjectIdentifier($0) }
      && one.asksRegisteredProtocols == other.asksRegisteredProtocols
      && one.showsBodiesAsStreams == other.showsBodiesAsStreams
      && one.credentialStorage === other.credentialStorage
  }
}
