// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import URLLoading

/// The values behind the properties of a configuration that a program sees.
extension URLSessionConfiguration {
  /// The values that the loads of a session need to know.
  var loadConfiguration: LoadConfiguration { values.withLock { $0 } }

  static func makeDefault() -> URLSessionConfiguration {
    var values = LoadConfiguration()
    values.useSharedStores()
    values.cookieAcceptPolicy = .onlyFromMainDocumentDomain
    return URLSessionConfiguration(values)
  }

  static func makeEphemeral() -> URLSessionConfiguration {
    var values = LoadConfiguration()
    values.usePrivateStores()
    values.cookieAcceptPolicy = .onlyFromMainDocumentDomain
    values.credentialStorage = URLCredentialStorage()
    return URLSessionConfiguration(values)
  }

  /// `httpAdditionalHeaders`: of names that differ in their type alone, one stays.
  var headers: [AnyHashable: Any]? {
    get {
      let headers = values.withLock { $0.wire.fields }
      return headers.isEmpty ? nil : headers
    }
    set {
      let headers = (newValue ?? [:]).map { ("\($0.key.base)", "\($0.value)") }
      let additional = Dictionary(headers) { _, last in last }
      values.withLock { $0.wire.fields = additional }
    }
  }

  /// `protocolClasses`: those that can answer requests.
  var answeringClasses: [AnyClass]? {
    get {
      let classes = values.withLock { $0.protocolClasses }
      return classes?.map { $0 as AnyClass }
    }
    set {
      let classes = newValue?.compactMap { $0 as? any RequestAnswering.Type }
      values.withLock { $0.protocolClasses = classes }
    }
  }

  /// `connectionProxyDictionary`.
  var proxies: [AnyHashable: Any]? {
    get { values.withLock { $0.wire.proxies }?.dictionary }
    set {
      let proxies = newValue.map { ProxySettings($0) }
      values.withLock { $0.wire.proxies = proxies }
    }
  }
}
