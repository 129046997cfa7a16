// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules

/// The file in which a store keeps the cookies that outlive the process, for all processes of one program: each line records
/// that a cookie was stored or removed.
typealias CookieLog = SharedLog<CookieLogFormat>

/// A line is a `Record` in JSON.
enum CookieLogFormat: SharedLogFormat {
  struct Record: Codable, Equatable {
    /// The cookie as it was stored; of one that was removed, the cookie there was.
    var facts: CookieFacts
    var lastUse: UInt64 = 0
    var isRemoved = false

    var key: CookieTable.Key { CookieTable.Key(facts) }

    /// True if the rules can have made it: a digest says nothing about who wrote a line.
    fileprivate var isSound: Bool {
      !facts.name.isEmpty && !facts.domain.isEmpty && facts.created.timeIntervalSinceReferenceDate.isFinite
        && facts.expires?.timeIntervalSinceReferenceDate.isFinite != false
    }
  }

  static let family = "workbench-cookies"
  static let owner = "HTTPCookieStorage"
  static let contents = "cookies"

  static func text(_ record: Record) -> [UInt8] {
    (try? JSONEncoder().encode(record)).map { [UInt8]($0) } ?? []
  }

  static func record(_ text: ArraySlice<UInt8>) -> Record? {
    let record = try? JSONDecoder().decode(Record.self, from: Data(text))
    return record?.isSound == true ? record : nil
  }

  static func earlier(_ bytes: [UInt8]) -> [Record]? { EarlierCookies.records(in: bytes) }
}
