// SPDX-License-Identifier: Apache-2.0
import SessionAPI

/// GETs one after the other, each of an address of its own, by a session with this configuration.
private func numbered(_ url: URL, _ count: Int, _ configuration: URLSessionConfiguration) throws -> Outcome {
  try Gathering(url, count: count, atOnce: 1, configuration, isNumbered: true).run(atOnce: 1)
}

/// Without cookies and cache.
func plain(_ url: URL, count: Int) throws -> Outcome {
  let configuration = URLSessionConfiguration.ephemeral
  (configuration.httpCookieStorage, configuration.urlCache) = (nil, nil)
  return try numbered(url, count, configuration)
}

/// With the shared cookies, and a cache on the disk.
func withDefaults(_ url: URL, count: Int) throws -> Outcome {
  let configuration = URLSessionConfiguration.default
  configuration.urlCache = diskCache(NSTemporaryDirectory() + "/" + UUID().uuidString, memory: 4 << 20)
  return try numbered(url, count, configuration)
}

/// Stores answers; the job is to load them by another cache over the same folder, as another process has it.
func storedOnDisk(_ url: URL, count: Int) throws -> () throws -> Outcome {
  let folder = NSTemporaryDirectory() + "/" + UUID().uuidString
  let configuration = URLSessionConfiguration.default
  configuration.urlCache = diskCache(folder, memory: 0)
  _ = try numbered(url, count, configuration)
  return {
    configuration.urlCache = diskCache(folder, memory: 0)
    return try numbered(url, count, configuration)
  }
}

private func diskCache(_ folder: String, memory: Int) -> URLCache {
  URLCache(memoryCapacity: memory, diskCapacity: 256 << 20, diskPath: folder)
}

/// Sets 10,000 cookies, ten for each of a thousand hosts; the job is to load beside them.
func besideCookies(_ url: URL, count: Int) throws -> () throws -> Outcome {
  let configuration = URLSessionConfiguration.ephemeral
  setCookies(10_000, in: configuration.httpCookieStorage)
  configuration.urlCache = nil
  return { try numbered(url, count, configuration) }
}

/// Ten cookies for each host, set and found again.
func jar(_ url: URL, count: Int) throws -> Outcome {
  let storage = URLSessionConfiguration.ephemeral.httpCookieStorage
  setCookies(count, in: storage)
  var found = 0
  for host in 0..<count / 10 {
    found += URL(string: "http://host\(host).test/").flatMap { storage?.cookies(for: $0)?.count } ?? 0
  }
  guard found == count else { throw Usage() }
  return Outcome(transfers: found, bytes: 0)
}

private func setCookies(_ count: Int, in storage: HTTPCookieStorage?) {
  for number in 0..<count {
    let cookie = HTTPCookie(properties: [
      .name: "c\(number)", .value: "v", .domain: "host\(number / 10).test", .path: "/",
    ])
    if let cookie { storage?.setCookie(cookie) }
  }
}
