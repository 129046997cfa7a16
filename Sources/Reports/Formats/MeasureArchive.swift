// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Measuring

/// The loads of a measured command as an HTTP archive (HAR 1.2): a page for each process, an entry for each load that is kept,
/// with its last request. Header fields are never told, nor is what did not happen.
public struct MeasureArchive {
  private let result: CommandResult
  private let version: String
  private let start: Date

  /// An archive of `result`, which began at `start`, by this version of the workbench.
  public init(_ result: CommandResult, version: String, start: Date = .now) {
    (self.result, self.version, self.start) = (result, version, start)
  }

  /// The JSON, a line break at the end.
  ///
  /// - Throws: an `EncodingError` for a figure that JSON cannot hold.
  public func text() throws -> String {
    let pages = result.processes.map { process in
      HARPage(startedDateTime: date(process.began), id: "\(process.process)", title: process.command)
    }
    let entries = result.processes.flatMap { process in
      process.loads.filter { !$0.url.isEmpty }.map { load in
        HAREntry(load, page: "\(process.process)", started: date(process.began + load.began))
      }
    }
    return try JSONReport.encoded(
      HARFile(
        log: .init(
          creator: .init(name: "workbench", version: version), pages: pages, entries: entries,
          comment: "Each entry is a load, from its making to its end as the program saw it.")))
  }

  private func date(_ seconds: Double) -> String {
    start.addingTimeInterval(max(0, seconds)).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}

extension HAREntry {
  /// The entry of a load; one without an end has no time.
  fileprivate init(_ load: LoadRow, page: String, started: String) {
    (pageref, startedDateTime, connection) = (page, started, "")
    time = load.ended.map { Self.milliseconds($0 - load.began) } ?? 0
    comment = load.error ?? (load.ended == nil ? "without an end" : "")
    timings = Timings(wait: time, receive: 0)
    timings.comment = "from the load's making to its end, as the program saw it"
    serverIPAddress = ""
    let query = (URLComponents(string: load.url)?.queryItems ?? []).map { Pair(name: $0.name, value: $0.value ?? "") }
    request = Request(
      method: load.method, url: load.url, httpVersion: "", headers: [], queryString: query, bodySize: -1)
    response = Response(status: load.status, httpVersion: "", content: Content(size: Int(clamping: load.bytes)))
    response.content.comment = "bytes that callbacks were given"
  }
}
