// SPDX-License-Identifier: Apache-2.0
public import ArgumentParser
public import LessonKit
import LessonServer

extension Side: ExpressibleByArgument {
  /// The two columns that lessons have.
  public static var allValueStrings: [String] { [Side.connection.rawValue, Side.session.rawValue] }
}

extension Language: ExpressibleByArgument {
  /// The language by any of its names, such as `zh` or `zh_CN.UTF-8`.
  public init?(argument: String) { self.init(named: argument) }
}

/// A size on the command line.
struct ByteSize: CustomStringConvertible {
  var bytes: Int

  init(bytes: Int) {
    self.bytes = bytes
  }

  /// - Throws: `ValidationError`, which names the range.
  init(argument: String) throws {
    guard let count = try? ByteCount(parsing: argument), (1...(1 << 40)).contains(count.bytes) else {
      throw ValidationError(say: "Give a size from 1 B to 1 TiB, such as 10, 64KiB, 64MiB or 1GiB.")
    }
    bytes = Int(count.bytes)
  }

  var description: String { ByteCount(Int64(bytes)).description }
}

/// A time limit on the command line.
struct TimeLimit: CustomStringConvertible {
  var duration: Duration

  init(duration: Duration) {
    self.duration = duration
  }

  /// A whole number with ms, s, m or h, or alone for seconds, from 100 ms to a day.
  ///
  /// - Throws: `ValidationError`, which names the range.
  init(argument: String) throws {
    let units: [(String, Int)] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("", 1000)]
    let unit = units.first { argument.hasSuffix($0.0) } ?? ("", 1000)
    guard let number = Int(argument.dropLast(unit.0.count)), (0...86_400_000 / unit.1).contains(number),
      number * unit.1 >= 100
    else { throw ValidationError(say: "Give a time from 100 ms to 24 h, such as 500ms, 30s or 2m.") }
    duration = .milliseconds(number * unit.1)
  }

  var description: String { "\(duration.components.seconds)s" }
}

/// Whole numbers on the command line.
enum Number {
  /// How much is done at a time.
  static func jobs(_ argument: String) throws -> Int {
    guard let number = Int(argument), (1...64).contains(number) else {
      throw ValidationError(say: "Give a whole number from 1 to 64.")
    }
    return number
  }

  /// How often each example runs.
  static func repetitions(_ argument: String) throws -> Int {
    guard let number = Int(argument), (1...1000).contains(number) else {
      throw ValidationError(say: "Give a whole number from 1 to 1000.")
    }
    return number
  }

  /// A port to listen on.
  static func port(_ argument: String) throws -> UInt16 {
    guard let number = UInt16(argument) else {
      throw ValidationError(say: "Give a port from 1 to 65535, or 0 for one that the system chooses.")
    }
    return number
  }
}
