// SPDX-License-Identifier: Apache-2.0
import Glibc
import SessionAPI

/// `ours MODE URL WARM-UP-URL [ARGUMENT…]`: one job of the comparison, written against Apple's API; its figures stand in
/// the last line of stdout.
@main
struct Ours {
  static func main() {
    do {
      try job(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("ours: \(error)\n".utf8))
      exit(error is Usage ? 64 : 1)
    }
  }

  private static func job(_ arguments: [String]) throws {
    guard arguments.count >= 3, let url = URL(string: arguments[1]), let warmUp = URL(string: arguments[2]) else {
      throw Usage()
    }
    let rest = Array(arguments.dropFirst(3))
    Measure.raiseFileLimit()
    #if OWN
      if arguments[0] == "background", rest.count == 1 {
        return try background(url, warmUp: warmUp, to: URL(fileURLWithPath: rest[0]))
      }
    #endif
    _ = try discard(warmUp)
    #if OWN
      if let reading = Reading(rawValue: arguments[0]) {
        read(rest.first.map { URL(fileURLWithPath: $0) } ?? url, reading)
      }
    #endif
    let work = try work(arguments[0], url, rest)
    let measure = Measure()
    measure.report(try work())
  }

  /// The job; what it needs before is done.
  private static func work(_ mode: String, _ url: URL, _ rest: [String]) throws -> () throws -> Outcome {
    switch (mode, rest.count) {
    case ("disk", 1): return try storedOnDisk(url, count: try number(rest[0]))
    case ("cookies", 1): return try besideCookies(url, count: try number(rest[0]))
    default: return { try run(mode, url, rest) }
    }
  }

  private static func run(_ mode: String, _ url: URL, _ rest: [String]) throws -> Outcome {
    switch (mode, rest.count) {
    case ("download", 1): try download(url, to: URL(fileURLWithPath: rest[0]))
    // Over TLS the authority's file is an argument for the C side; here it comes by SSL_CERT_FILE.
    case ("discard", 0...1): try discard(url)
    case ("slow", 0): try discard(url, pausing: 0.02)
    case ("collect", 0): try collect(url)
    case ("stream", 1): try upload(url, from: URL(fileURLWithPath: rest[0]), asStream: true)
    case ("upload", 1): try upload(url, from: URL(fileURLWithPath: rest[0]))
    case ("small", 2): try small(url, count: try number(rest[0]), atOnce: try number(rest[1]))
    case ("cached", 1): try cached(url, count: try number(rest[0]))
    case ("parallel", 1): try parallel(url, count: try number(rest[0]))
    #if OWN
      case ("echo", 1): try echo(url, count: try number(rest[0]), atOnce: 1)
      case ("messages", 1):
        Outcome(transfers: try echo(url, count: try number(rest[0]), atOnce: .max).transfers, bytes: 0)
    #endif
    case ("sessions", 1): try sessions(url, count: try number(rest[0]), loads: false)
    case ("queued", 1): Outcome(transfers: try queued(url, count: try number(rest[0])).transfers, bytes: 0)
    case ("entries", 1): Outcome(transfers: try withDefaults(url, count: try number(rest[0])).transfers, bytes: 0)
    case ("jar", 1): try jar(url, count: try number(rest[0]))
    case ("descriptors", 1): try besideDescriptors(url, count: try number(rest[0]))
    case ("loaded", 1): try sessions(url, count: try number(rest[0]), loads: true)
    case ("plain", 1): try plain(url, count: try number(rest[0]))
    case ("default", 1): try withDefaults(url, count: try number(rest[0]))
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
    usage: ours download | background | upload | stream URL WARM-UP-URL FILE
           ours discard | slow | collect URL WARM-UP-URL
           ours small URL WARM-UP-URL COUNT AT-ONCE
           ours bytes | mainbytes | lines URL WARM-UP-URL [FILE]
           ours echo | messages | sessions | loaded | descriptors | queued | jar | entries URL WARM-UP-URL COUNT
           ours cached | parallel | plain | default | disk | cookies URL WARM-UP-URL COUNT
    """
}
