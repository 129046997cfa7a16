// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import URLLoading

/// Credentials stay in the memory of the agent: a journal has none. A record that lacks some is marked, and its task waits for a
/// client.
extension Journal {
  /// The journal as it is written.
  var withoutCredentials: Journal {
    var written = self
    written.settings = settings.withoutCredentials
    written.tasks = tasks.mapValues(\.withoutCredentials)
    return written
  }
}

enum Credentials {
  static func isField(_ name: String) -> Bool { LoadExchange.secrets.contains(name.lowercased()) }

  static func without(_ all: [String: String]) -> [String: String] { all.filter { !isField($0.key) } }

  /// Resume data without the credentials of its request; nil where it is none.
  static func without(resume data: Data) -> Data? {
    // Each is read and written again on every visit to the disk.
    let signs = ["uthorization", "UTHORIZATION", "ookie", "COOKIE", "@"]
    guard signs.contains(where: { data.range(of: Data($0.utf8)) != nil }) else { return data }
    guard var record = try? ResumeRecord(data: data) else { return nil }
    for name in (record.request.allHTTPHeaderFields ?? [:]).keys where isField(name) {
      record.request.setValue(nil, forHTTPHeaderField: name)
    }
    record.request.url = record.request.url.map(LoadError.withoutUser)
    return record.data
  }
}

extension SessionSettings {
  fileprivate var withoutCredentials: SessionSettings {
    var written = self
    written.wire.fields = Credentials.without(wire.fields)
    written.wire.proxies = wire.proxies?.withoutCredentials
    written.wire.proxyChoices = wire.proxyChoices?.map(\.withoutCredentials)
    if written != self { written.lacksCredentials = true }
    return written
  }
}

extension RequestRecord {
  fileprivate var withoutCredentials: RequestRecord {
    var written = self
    written.fields = Credentials.without(fields)
    written.url = LoadError.withoutUser(url)
    return written
  }

  /// Puts the credentials of this request into one that was read from resume data.
  func complete(_ request: inout URLRequest) {
    for (name, value) in fields where Credentials.isField(name) && request.value(forHTTPHeaderField: name) == nil {
      request.setValue(value, forHTTPHeaderField: name)
    }
    if LoadError.withoutUser(url) == request.url { request.url = url }
  }
}

extension TransferRecord {
  fileprivate var withoutCredentials: TransferRecord {
    var written = self
    written.request = request.withoutCredentials
    if written.request != request, outcome == nil { written.lacksCredentials = true }
    written.resume = resume.flatMap(Credentials.without(resume:))
    guard var outcome else { return written }
    outcome.url = outcome.url.map(LoadError.withoutUser)
    if let response = outcome.response { outcome.response?.url = LoadError.withoutUser(response.url) }
    if let resume = outcome.failure?.resume { outcome.failure?.resume = Credentials.without(resume: resume) }
    written.outcome = outcome
    return written
  }
}
