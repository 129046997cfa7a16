// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import HTTPRules
import Locking
import URLLoading

/// The rules for the tasks that a background session takes, and for how a task is written down for the agent.
enum BackgroundRules {
  /// Why a specification is a programmer error, in Apple's words where it has some; nil for a task that can be made.
  static func objection(to specification: TaskSpecification) -> String? {
    switch specification.receiver {
    case .dataHandler, .fileHandler, .bytes:
      return "Completion handler blocks are not supported in background sessions. Use a delegate instead."
    case .rawConnection: return "WebSocket and stream tasks are not supported in background sessions."
    case .downloadDelegate: return nil
    case .dataDelegate: break
    }
    switch specification.body {
    case .file: return nil
    case .data: return "Upload tasks from NSData are not supported in background sessions."
    case .requested: return "Upload tasks from streams are not supported in background sessions."
    case nil where specification.uploading != nil || specification.refusal != nil: return nil
    case nil: return "Data tasks are not supported in background sessions. Use a download task."
    }
  }

  /// Why a task that can be made can only fail.
  static func refusal(of specification: TaskSpecification) -> URLError? {
    guard specification.uploading != nil else { return nil }
    return LoadError.error(
      .unsupportedURL, url: specification.request.url,
      description: "Resume data of uploads is not taken in background sessions.")
  }

  /// A body beyond this goes through no message: it is to be uploaded from a file.
  private static let bodyLimit = 4 * 1024 * 1024
  /// A task written down. With what the agent adds to it at its end, it still fits into a message.
  static let recordLimit = 6 * 1024 * 1024
  /// A description that comes later, in bytes.
  static let descriptionLimit = 256 * 1024

  /// The request as the agent sends it, with the cookies that go along.
  static func record(of request: URLRequest, _ values: LoadConfiguration) throws(URLError) -> RequestRecord {
    guard let url = request.url, HTTPScheme(url) != nil else {
      throw LoadError.error(
        .unsupportedURL, url: request.url, description: "A background session loads http and https alone.")
    }
    let size = request.httpBody?.count ?? 0
    guard request.httpBodyStream == nil, size <= bodyLimit else {
      throw LoadError.error(
        .dataLengthExceedsMaximum, url: url,
        description: "The body of a background task is at most \(bodyLimit) bytes, or a file of an upload task.")
    }
    var fields = request.allHTTPHeaderFields ?? [:]
    if request.httpShouldHandleCookies, values.sendsCookies, let storage = values.cookieStorage,
      let cookies = storage.field(for: url)
    {
      fields["Cookie"] = cookies
    }
    return RequestRecord(
      url: url, method: request.httpMethod ?? "GET", fields: fields,
      timeout: request.timeoutInterval.isFinite ? request.timeoutInterval : WireSettings.longestTime,
      body: request.httpBody)
  }

  /// A task that is about to start.
  static func record(
    of task: URLSessionTask, _ key: UUID, _ values: LoadConfiguration
  ) throws(URLError) -> TransferRecord {
    guard let request = task.originalRequest else { throw URLError(.badURL) }
    var record = TransferRecord(
      key: key, number: task.number, request: try Self.record(of: request, values), upload: nil,
      created: task.creation)
    if case .file(let file)? = task.body { record.upload = file.standardizedFileURL.path }
    (record.description, record.priority) = (task.taskDescription, task.priority.isFinite ? task.priority : 0.5)
    record.earliestBegin = task.earliestBeginDate
    record.counts.expectedToSend = task.countOfBytesExpectedToSend
    try check(Talk.length(of: ClientMessage.start(record)), recordLimit, "The task", url: request.url)
    return record
  }

  /// The first message of a connection.
  static func hello(_ identifier: String, _ values: LoadConfiguration) throws(URLError) -> ClientMessage {
    let hello = ClientMessage.hello(identifier: identifier, settings: settings(of: values))
    try check(Talk.length(of: hello), FrameReader.firstLimit, "The session's configuration", url: nil)
    return hello
  }

  static func check(_ size: Int, _ limit: Int, _ noun: String, url: URL?) throws(URLError) {
    guard size > limit else { return }
    throw LoadError.error(
      .dataLengthExceedsMaximum, url: url,
      description: "\(noun) takes \(size) bytes with its fields and texts; a background session takes \(limit).")
  }

  static func settings(of values: LoadConfiguration) -> SessionSettings {
    var settings = SessionSettings(values.wire.forAnotherProcess)
    if values.readBack.identifier != nil, values.readBack.sessionSendsLaunchEvents { settings.launch = .current }
    return settings
  }
}

extension URLSessionConfiguration {
  static func makeBackground(_ identifier: String) -> URLSessionConfiguration {
    guard !identifier.isEmpty else {
      ProgrammerError.stop(
        "URLSessionConfiguration", "The identifier of a background session is empty. Give it a name.")
    }
    var values = LoadConfiguration()
    values.useSharedStores()
    values.cache = nil
    values.cookieAcceptPolicy = .onlyFromMainDocumentDomain
    values.waitsForConnectivity = true
    values.readBack.identifier = identifier
    values.readBack.sessionSendsLaunchEvents = false
    return URLSessionConfiguration(values)
  }
}
