// SPDX-License-Identifier: Apache-2.0
import AsyncHTTPClient
import Foundation
import NIOSSL

/// `asynchttpclient MODE URL WARM-UP-URL [ARGUMENT…]`: one job of the comparison, as its documentation would have it
/// written; its figures stand in the last line of stdout.
@main
struct Peer {
  static func main() async {
    do {
      try await job(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("asynchttpclient: \(error)\n".utf8))
      exit(error is Usage ? 64 : 1)
    }
  }

  private static func job(_ arguments: [String]) async throws {
    guard arguments.count >= 3 else { throw Usage() }
    let rest = Array(arguments.dropFirst(3))
    Measure.raiseFileLimit()
    let client = HTTPClient(configuration: try configuration(arguments[0], rest))
    let jobs = Jobs(client: client)
    _ = try await jobs.discard(arguments[2])
    let measure = Measure()
    let outcome = try await run(arguments[0], arguments[1], rest, jobs)
    measure.report(outcome)
    try await client.shutdown()
  }

  /// The default one, with as many connections as a job wants, and with the authority's file over TLS.
  private static func configuration(_ mode: String, _ rest: [String]) throws -> HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration()
    if mode == "discard", let authority = rest.first {
      var tls = TLSConfiguration.makeClientConfiguration()
      tls.trustRoots = .file(authority)
      configuration.tlsConfiguration = tls
    }
    if ["small", "parallel"].contains(mode), let atOnce = rest.last.flatMap({ Int($0) }) {
      configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = atOnce
    }
    return configuration
  }

  private static func run(_ mode: String, _ url: String, _ rest: [String], _ jobs: Jobs) async throws -> Outcome {
    switch (mode, rest.count) {
    case ("download", 1): try await jobs.download(url, to: rest[0])
    case ("discard", 0...1): try await jobs.discard(url)
    case ("upload", 1): try await jobs.upload(url, from: rest[0])
    case ("small", 2): try await jobs.small(url, count: try number(rest[0]), atOnce: try number(rest[1]))
    case ("parallel", 1): try await jobs.small(url, count: try number(rest[0]), atOnce: try number(rest[0]))
    default: throw Usage()
    }
  }

  private static func number(_ text: String) throws -> Int {
    guard let number = Int(text), number > 0 else { throw Usage() }
    return number
  }
}

/// What a job did.
struct Outcome {
  var transfers: Int
  var bytes: Int64
}

struct Usage: Error, CustomStringConvertible {
  let description = """
    usage: asynchttpclient download | upload URL WARM-UP-URL FILE
           asynchttpclient discard URL WARM-UP-URL [AUTHORITY]
           asynchttpclient small URL WARM-UP-URL COUNT AT-ONCE
           asynchttpclient parallel URL WARM-UP-URL COUNT
    """
}
