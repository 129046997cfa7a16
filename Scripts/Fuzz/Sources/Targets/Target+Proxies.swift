// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import HTTPRules
@testable import Transport
@testable import URLLoading

// Which requests go through which proxy.
extension Target {
  /// The variables http_proxy, https_proxy, all_proxy and no_proxy, one a line, then a host: this machine is never reached
  /// through a proxy, and what no_proxy names by its name is not either.
  static let proxyEnvironment = Target("proxy-environment") { bytes in
    let lines = lines(bytes, 5)
    let names = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"]
    let rules = ProxyRules(environment: Dictionary(uniqueKeysWithValues: zip(names, lines)))
    for server in [rules.http, rules.https] where server?.fault == nil { server.map(judge) }
    for scheme in ["http", "https"] {
      for own in ["localhost", "127.0.0.1", "[::1]"] {
        let isDirect = URL(string: "\(scheme)://\(own)/").map { rules.server(for: $0) == nil } ?? true
        check(isDirect, "\(own) is reached through a proxy")
      }
      guard let url = URL(string: "\(scheme)://\(lines[4])/"), let host = url.host else { continue }
      let isNamed = lines[3].split { $0 == "," || $0 == " " }.contains { $0 == host && !$0.contains("/") }
      check(!isNamed || rules.server(for: url) == nil, "\(host) is in no_proxy, and reached through one")
    }
  }

  /// Apple's dictionary: the host, the port and the exceptions of one proxy, then a host. It is read back as it was set.
  static let proxyDictionary = Target("proxy-dictionary") { bytes in
    let lines = lines(bytes, 4)
    let exceptions = lines[2].split(separator: ",").map(String.init)
    var dictionary: [String: Any] = [
      "HTTPEnable": 1, "HTTPProxy": lines[0], "HTTPPort": Int(lines[1]).map { $0 as Any } ?? lines[1],
      "ExceptionsList": exceptions,
    ]
    dictionary[lines[3]] = lines[0]
    let settings = ProxySettings(dictionary)
    check(ProxySettings(settings.dictionary) == settings, "settings that change when they are read back")
    let rules = ProxyRules(settings)
    if let server = rules.http, server.fault == nil { judge(server) }
    guard let url = URL(string: "http://\(lines[3])/"), let host = url.host else { return }
    let isNamed = exceptions.contains { $0.lowercased() == host.lowercased() && !$0.contains("/") }
    check(!isNamed || rules.server(for: url) == nil, "\(host) is an exception, and reached through a proxy")
  }

  /// A proxy of the environment can stand in an address.
  private static func judge(_ server: ProxyServer) {
    check(!server.proxy.host.isEmpty, "a proxy without a host")
    check((0...65_535).contains(server.proxy.port), "the port \(server.proxy.port)")
    check(server.proxy.host.utf8.allSatisfy { $0 > 32 && $0 != 127 }, "a proxy's host with blanks")
    check(server.proxy.host.utf8.allSatisfy { !"/?#@".utf8.contains($0) }, "a proxy's host that is more than that")
  }

  /// The first lines, as text; empty where there are not as many.
  private static func lines(_ bytes: [UInt8], _ count: Int) -> [String] {
    let lines = bytes.split(separator: 10, maxSplits: count - 1, omittingEmptySubsequences: false)
    let texts = lines.map { String(decoding: $0.filter { $0 != 0 }, as: UTF8.self) }
    return texts + Array(repeating: "", count: count - texts.count)
  }
}
