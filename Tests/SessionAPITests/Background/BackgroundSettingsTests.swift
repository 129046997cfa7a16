// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import TestSupport
import Testing

@testable import URLLoading

/// The meaning of a configuration on the wire, on its way to the agent and back from a journal.
@Suite struct BackgroundSettingsTests {
  private static let settings = {
    var wire = WireSettings()
    (wire.idleTimeout, wire.totalTimeout, wire.connectionsPerHost) = (7, 8, 9)
    (wire.fields, wire.oldestTLS, wire.newestTLS) = (["A": "b"], 770, 771)
    (wire.proxies, wire.authorities) = (ProxySettings(["HTTPEnable": 1, "HTTPProxy": "p", "A": ["b"]]), Data([1]))
    wire.proxyChoices = [ProxyChoice(.socks5, host: "p", port: 1)]
    var settings = SessionSettings(wire)
    (settings.launch, settings.lacksCredentials) = (.current, true)
    return settings
  }()

  @Test func `every property travels, under its own name`() throws {
    let data = try JSONEncoder().encode(Self.settings)
    #expect(try JSONDecoder().decode(SessionSettings.self, from: data) == Self.settings)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let names = Mirror(reflecting: Self.settings.wire).children.compactMap(\.label)
    #expect(Set(object.keys) == Set(names + ["launch", "lacksCredentials"]))
    for (name, value) in Mirror(reflecting: Self.settings.wire).children {
      let standing = Mirror(reflecting: WireSettings()).children.first { $0.label == name }?.value
      #expect("\(value)" != standing.map { "\($0)" }, "\(name ?? "") is tried with what it is anyway")
    }
  }

  @Test func `a journal of an earlier version is read`() throws {
    let proxies = Data("{\"HTTPEnable\":1,\"HTTPPort\":\"80\"}".utf8).base64EncodedString()
    let line = """
      {"version":1,"identifier":"name","launched":3,"settings":{"idleTimeout":77,"totalTimeout":88.5,"connectionsPerHost":4,\
      "fields":{"A":"b"},"oldestTLS":771,"newestTLS":772,"proxies":"\(proxies)","lacksCredentials":true}}
      """
    let settings = try Journal(data: Data(line.utf8)) { _ in }.settings
    #expect((settings.wire.idleTimeout, settings.wire.totalTimeout) == (77, 88.5))
    #expect(settings.wire.fields == ["A": "b"] && settings.wire.connectionsPerHost == 4)
    #expect(settings.wire.proxies == ProxySettings(["HTTPEnable": 1, "HTTPPort": "80"]))
    #expect(settings.lacksCredentials == true && settings.launch == nil && settings.wire.authorities == nil)
  }

  @Test func `proxies that are no dictionary are not read as none`() throws {
    for text in ["", "[1]", "1", "{"] {
      let data = try JSONEncoder().encode([Data(text.utf8)])
      #expect(throws: (any Error).self) { try JSONDecoder().decode([ProxySettings].self, from: data) }
    }
  }

  @Test func `whatever stands in a dictionary of proxies is the same when it is read again`() throws {
    let text = """
      {"a":1e300,"b":null,"c":[1,[2]],"d":{"e":1},"f":true,"g":18446744073709551615,"h":-1.5,"i":-1e300,"j":""}
      """
    let deep = String(repeating: "[", count: 100_000)
    let read = try JSONDecoder().decode([ProxySettings].self, from: JSONEncoder().encode([Data(text.utf8)]))
    #expect(try JSONDecoder().decode([ProxySettings].self, from: JSONEncoder().encode(read)) == read)
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode([ProxySettings].self, from: JSONEncoder().encode([Data(deep.utf8)]))
    }
  }

  @Test func `a file is mapped whatever its length`() throws {
    let directory = try TestDirectory()
    let file = directory.url.appending(path: "body")
    #expect(DiskFile.mapped(file) == nil)
    for bytes in [Data(), Data([1, 2, 3])] {
      try bytes.write(to: file)
      #expect(DiskFile.mapped(file) == bytes)
    }
  }
}
