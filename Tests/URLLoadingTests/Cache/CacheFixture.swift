// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import TestSupport
import Testing

@testable import URLLoading

/// Caches over a folder of the test's own, and short words for what goes into them.
enum CacheFixture {
  typealias URLCache = URLLoading.URLCache

  struct Folder {
    let directory: TestDirectory
    var url: URL { directory.url.appending(path: "responses") }

    init() throws { directory = try TestDirectory() }

    func cache(memory: Int = 0, disk: Int = 1 << 20) -> URLCache {
      URLCache(memoryCapacity: memory, diskCapacity: disk, directory: url)
    }

    var names: Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []) }
    var files: Set<String> { names.subtracting([CacheFolder.indexName]) }
  }

  static func request(_ path: String, _ fields: [String: String] = [:]) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: "http://x.test/" + path)))
    request.allHTTPHeaderFields = fields
    return request
  }

  static func put(
    _ body: String, _ path: String, in cache: URLCache, vary: String? = nil, fields: [String: String] = [:],
    userInfo: [AnyHashable: Any]? = nil, policy: URLCache.StoragePolicy = .allowed
  ) throws {
    let request = try request(path, fields)
    let url = try #require(request.url)
    let response = try #require(
      HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: nil,
        headerFields: vary.map { ["Vary": $0] } ?? ["X-A": "b"]))
    let cached = CachedURLResponse(
      response: response, data: Data(body.utf8), userInfo: userInfo, storagePolicy: policy)
    cache.storeCachedResponse(cached, for: request)
  }

  static func body(_ path: String, in cache: URLCache, _ fields: [String: String] = [:]) throws -> String? {
    let request = try request(path, fields)
    return cache.cachedResponse(for: request).map { String(decoding: $0.data, as: UTF8.self) }
  }
}
