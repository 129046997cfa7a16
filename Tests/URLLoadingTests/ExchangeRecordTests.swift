// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import URLLoading

@Suite struct ExchangeRecordTests {
  @Test func `a written exchange has no credentials, neither in fields nor in addresses`() throws {
    let url = try #require(URL(string: "http://user:5ecret@a.example/path"))
    var request = URLRequest(url: url)
    for name in ["Authorization", "proxy-authorization", "COOKIE"] {
      request.setValue("5ecret", forHTTPHeaderField: name)
    }
    var exchange = LoadExchange(request: request, started: Date())
    exchange.response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: ["X": "1"])
    let data = try #require(exchange.data)
    #expect(!String(decoding: data, as: UTF8.self).contains("5ecret"))
    let read = try #require(LoadExchange(data: data))
    #expect(read.request.url?.absoluteString == "http://a.example/path")
    #expect((read.response as? HTTPURLResponse)?.statusCode == 200)
  }
}
