// SPDX-License-Identifier: Apache-2.0
import Foundation
import SessionAPI
import Testing

/// The values of `proxyConfigurations`.
@Suite struct ProxyValueTests {
  private static func configuration() -> ProxyConfiguration {
    var configuration = ProxyConfiguration(httpCONNECTProxy: .hostPort(host: "proxy.example", port: 3128))
    configuration.applyCredential(username: "lesson", password: "secret")
    configuration.matchDomains = ["a.example"]
    configuration.excludedDomains = ["b.a.example"]
    configuration.allowFailover = true
    return configuration
  }

  @Test func `configurations are read back, and copied with the configuration (B.4)`() {
    let configuration = URLSessionConfiguration.default
    #expect(configuration.proxyConfigurations.isEmpty)
    let proxies = [
      Self.configuration(), ProxyConfiguration(socksv5Proxy: .hostPort(host: NWEndpoint.Host("::1"), port: .socks)),
    ]
    configuration.proxyConfigurations = proxies
    let session = URLSession(configuration: configuration)
    configuration.proxyConfigurations = []
    #expect(session.configuration.proxyConfigurations == proxies && configuration.proxyConfigurations.isEmpty)
    session.finishTasksAndInvalidate()
    let fresh = ProxyConfiguration(socksv5Proxy: .hostPort(host: "p", port: 1))
    #expect(!fresh.allowFailover && fresh.matchDomains.isEmpty && fresh.excludedDomains.isEmpty)
  }

  @Test func `a configuration prints no credential (U7, B.4)`() {
    let configuration = Self.configuration()
    var dumped = ""
    dump([configuration], to: &dumped)
    #expect("\(configuration)" == "HTTP CONNECT proxy.example:3128")
    for text in ["\(configuration)", "\([configuration])", String(reflecting: configuration), dumped] {
      #expect(!text.contains("secret") && !text.contains("lesson"), "\(text)")
    }
  }

  @Test func `an endpoint is a host with a port (B.4)`() {
    #expect(NWEndpoint.Port("8080") == 8080 && NWEndpoint.Port("65536") == nil && NWEndpoint.Port("http") == nil)
    #expect(NWEndpoint.Port(rawValue: 443) == .https && NWEndpoint.Port.http.rawValue == 80)
    let endpoint = NWEndpoint.hostPort(host: "a.example", port: 80)
    let (host, port) =
      switch endpoint {
      case .hostPort(let host, let port): (host, port)
      }
    #expect("\(endpoint)" == "a.example:80" && "\(host)" == "a.example" && "\(port)" == "80")
    #expect("\(NWEndpoint.hostPort(host: "::1", port: 80))" == "::1.80")
  }
}
