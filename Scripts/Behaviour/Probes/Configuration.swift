// SPDX-License-Identifier: Apache-2.0
import Foundation
import SessionAPI

/// The default value of each property, of both kinds of configuration.
func addConfiguration(to probes: Probes) {
  for (kind, make) in kinds {
    for property in properties + ownProperties {
      let wanted = kind == "ephemeral" ? property.ephemeral ?? property.wanted : property.wanted
      probes.add(
        Probe(
          id: "configuration-\(kind).\(property.name)", feature: "URLSessionConfiguration",
          member: "\(property.name) of .\(kind)", rule: property.rule(wanted),
          source: page("urlsessionconfiguration/\(property.name)"), wanted: [wanted],
          ask: { property.read(make()) }))
    }
  }
  probes.add(
    "configuration.copy", "URLSessionConfiguration", "copied by the session",
    rule: "A session copies its configuration; changes made afterwards have no effect.",
    source: page("urlsession/init(configuration:delegate:delegatequeue:)"), wants: "60.0"
  ) {
    let configuration = URLSessionConfiguration.ephemeral
    let session = URLSession(configuration: configuration)
    configuration.timeoutIntervalForRequest = 5
    return "\(session.configuration.timeoutIntervalForRequest)"
  }
  probes.add(
    "configuration.session-copy", "URLSessionConfiguration", "of a session, changed",
    rule: "What `configuration` of a session returns is a copy: changing it does not change the session.",
    source: page("urlsession/configuration"), wants: "60.0"
  ) {
    let session = URLSession(configuration: .ephemeral)
    session.configuration.timeoutIntervalForRequest = 5
    return "\(session.configuration.timeoutIntervalForRequest)"
  }
  probes.add(
    "configuration.default-fresh", "URLSessionConfiguration", "default, asked for twice",
    rule: "Each call of `default` answers a new object.", source: page("urlsessionconfiguration/default"),
    wants: "true"
  ) { "\(URLSessionConfiguration.default !== URLSessionConfiguration.default)" }
}

private let kinds: [(String, @Sendable () -> URLSessionConfiguration)] = [
  ("default", { .default }), ("ephemeral", { .ephemeral }),
]

private struct Property: Sendable {
  var name: String
  var wanted: String
  var ephemeral: String?
  var read: @Sendable (URLSessionConfiguration) -> String

  init(
    _ name: String, _ wanted: String, ephemeral: String? = nil,
    _ read: @escaping @Sendable (URLSessionConfiguration) -> String
  ) {
    (self.name, self.wanted, self.ephemeral, self.read) = (name, wanted, ephemeral, read)
  }

  func rule(_ value: String) -> String { "The default is \(value)." }
}

private let properties: [Property] = [
  Property("identifier", "nil") { "\($0.identifier ?? "nil")" },
  Property("requestCachePolicy", "useProtocolCachePolicy") {
    $0.requestCachePolicy == .useProtocolCachePolicy ? "useProtocolCachePolicy" : "\($0.requestCachePolicy.rawValue)"
  },
  Property("timeoutIntervalForRequest", "60.0") { "\($0.timeoutIntervalForRequest)" },
  Property("timeoutIntervalForResource", "604800.0") { "\($0.timeoutIntervalForResource)" },
  Property("networkServiceType", "default") {
    $0.networkServiceType == .default ? "default" : "\($0.networkServiceType.rawValue)"
  },
  Property("allowsCellularAccess", "true") { "\($0.allowsCellularAccess)" },
  Property("isDiscretionary", "false") { "\($0.isDiscretionary)" },
  Property("sharedContainerIdentifier", "nil") { "\($0.sharedContainerIdentifier ?? "nil")" },
  Property("connectionProxyDictionary", "nil") { $0.connectionProxyDictionary == nil ? "nil" : "a dictionary" },
  Property("httpShouldUsePipelining", "false") { "\($0.httpShouldUsePipelining)" },
  Property("httpShouldSetCookies", "true") { "\($0.httpShouldSetCookies)" },
  Property("httpCookieAcceptPolicy", "onlyFromMainDocumentDomain") {
    $0.httpCookieAcceptPolicy == .onlyFromMainDocumentDomain
      ? "onlyFromMainDocumentDomain" : "\($0.httpCookieAcceptPolicy.rawValue)"
  },
  Property("httpAdditionalHeaders", "nil") { $0.httpAdditionalHeaders.map { "\($0)" } ?? "nil" },
  Property("httpMaximumConnectionsPerHost", "6") { "\($0.httpMaximumConnectionsPerHost)" },
  Property("httpCookieStorage", "the shared one", ephemeral: "one of its own") {
    $0.httpCookieStorage.map { $0 === HTTPCookieStorage.shared ? "the shared one" : "one of its own" } ?? "nil"
  },
  Property("urlCredentialStorage", "the shared one", ephemeral: "one of its own") {
    $0.urlCredentialStorage.map { $0 === URLCredentialStorage.shared ? "the shared one" : "one of its own" } ?? "nil"
  },
  Property("urlCache", "the shared one", ephemeral: "one of its own") {
    $0.urlCache.map { $0 === URLCache.shared ? "the shared one" : "one of its own" } ?? "nil"
  },
  Property("shouldUseExtendedBackgroundIdleMode", "false") { "\($0.shouldUseExtendedBackgroundIdleMode)" },
]

/// What FoundationNetworking does not declare, which the symbol graph shows.
#if TOOLCHAIN
  private let ownProperties: [Property] = []
#else
  private let ownProperties: [Property] = [
    Property("allowsExpensiveNetworkAccess", "true") { "\($0.allowsExpensiveNetworkAccess)" },
    Property("allowsConstrainedNetworkAccess", "true") { "\($0.allowsConstrainedNetworkAccess)" },
    Property("sessionSendsLaunchEvents", "true") { "\($0.sessionSendsLaunchEvents)" },
    Property("requiresDNSSECValidation", "false") { "\($0.requiresDNSSECValidation)" },
    Property("usesClassicLoadingMode", "true") { "\($0.usesClassicLoadingMode)" },
    Property("enablesEarlyData", "false") { "\($0.enablesEarlyData)" },
    Property("waitsForConnectivity", "false") { "\($0.waitsForConnectivity)" },
    Property("multipathServiceType", "none") {
      $0.multipathServiceType == .none ? "none" : "another"
    },
  ]
#endif
