// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Keeps the numbers of a child's line, or of a file, within bounds before the parent calculates with them.
///
/// Problem: a program that finds the pipe may write any number there, and a sum or a difference that no integer holds ends
/// the parent. Choice: a number beyond a million millions becomes that one. No size, count or time of a run comes near it,
/// and a line of the longest permitted length holds too few of them to add up to more than an integer has room for.
public struct BoundedNumbers {
  private static let most = 1e12
  private static let letters = Set("+-.eE0123456789".utf8)

  /// The line in JSON, its numbers bounded; what stands in strings is left alone.
  public static func line(_ text: String) -> Data {
    var result = Data(capacity: text.utf8.count)
    var number: [UInt8] = []
    var (isText, isEscaped) = (false, false)
    for byte in text.utf8 {
      if !isText, letters.contains(byte), !number.isEmpty || byte != UInt8(ascii: "e") && byte != UInt8(ascii: "E") {
        number.append(byte)
        continue
      }
      if !number.isEmpty {
        result.append(contentsOf: bounded(number))
        number.removeAll(keepingCapacity: true)
      }
      if byte == UInt8(ascii: "\""), !isEscaped { isText.toggle() }
      isEscaped = isText && !isEscaped && byte == UInt8(ascii: "\\")
      result.append(byte)
    }
    result.append(contentsOf: bounded(number))
    return result
  }

  private static func bounded(_ number: [UInt8]) -> [UInt8] {
    guard number.count > 3, let value = Double(String(decoding: number, as: UTF8.self)), abs(value) > most else {
      return number
    }
    return Array((value < 0 ? "-1000000000000" : "1000000000000").utf8)
  }
}
