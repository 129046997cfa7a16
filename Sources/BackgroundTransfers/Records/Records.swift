// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import FoundationNetworking
import HTTPRules

/// A request as it is sent to the agent and kept in a journal.
package struct RequestRecord: Codable, Equatable, Sendable {
  package var url: URL
  package var method: String
  package var fields: [String: String]
  /// Seconds.
  package var timeout: Double
  package var body: Data?

  package init(url: URL, method: String, fields: [String: String], timeout: Double, body: Data?) {
    (self.url, self.method, self.fields, self.timeout, self.body) = (url, method, fields, timeout, body)
  }

  /// True if it may be sent again though it may have been answered.
  package var mayRepeat: Bool { HTTPMethod.isIdempotent(method) }
}

extension URLRequest {
  package init(_ record: RequestRecord) {
    self.init(url: record.url)
    (httpMethod, httpBody, timeoutInterval) = (record.method, record.body, record.timeout)
    for (name, value) in record.fields { setValue(value, forHTTPHeaderField: name) }
  }
}

/// A response of HTTP.
package struct ResponseRecord: Codable, Equatable, Sendable {
  package var url: URL
  package var status: Int
  package var fields: [String: String]
  /// True if the body was sent in a coding that was taken off.
  package var isDecoded: Bool

  package init(url: URL, status: Int, fields: [String: String], isDecoded: Bool) {
    (self.url, self.status, self.fields, self.isDecoded) = (url, status, fields, isDecoded)
  }
}

/// Why a transfer failed: an error of the domain `NSURLErrorDomain`.
package struct FailureRecord: Codable, Equatable, Sendable {
  package var code: Int
  package var description: String
  package var url: URL?
  /// The number of the system's error beneath, such as ENOSPC.
  package var systemError: Int32?
  /// Why the agent cancelled the task: a raw value of `URLError.BackgroundTaskCancelledReason`.
  package var cancelledReason: Int?
  /// The record to resume a download from, whose part lies in the session's folder (`ResumeRecord`).
  package var resume: Data?

  package init(code: Int, description: String, url: URL?) {
    (self.code, self.description, self.url) = (code, description, url)
  }
}

/// How far a transfer has come, in bytes of the bodies; -1 for a length that is not known.
package struct TransferCounts: Codable, Equatable, Sendable {
  package var received: Int64 = 0
  package var expected: Int64 = -1
  package var sent: Int64 = 0
  package var expectedToSend: Int64 = 0

  package init() {}
}

/// How a transfer ended.
package struct TransferOutcome: Codable, Equatable, Sendable {
  /// The how-manieth end of its session it is: ends are delivered in this order.
  package var order: Int
  /// The name of the file with the body, in the session's folder; nil after a failure.
  package var file: String?
  package var response: ResponseRecord?
  /// The last request's URL, after redirects.
  package var url: URL?
  package var failure: FailureRecord?
  /// The requests that were sent, as `LoadExchange` writes them.
  package var exchanges: [Data]?
  package var redirects: Int?

  package init(order: Int, file: String?, response: ResponseRecord?, url: URL?, failure: FailureRecord?) {
    (self.order, self.file, self.response, self.url, self.failure) = (order, file, response, url, failure)
  }
}

/// A task of a background session: what the client submits, and what the agent knows of it later.
package struct TransferRecord: Codable, Equatable, Sendable {
  /// Unique among the tasks of all processes.
  package var key: UUID
  /// The task's number in its session.
  package var number: Int
  package var request: RequestRecord
  /// The file to send, of an upload; nil for a download.
  package var upload: String?
  package var description: String?
  package var priority: Float = 0.5
  package var earliestBegin: Date?
  package var created: Date
  package var isSuspended = false
  package var counts = TransferCounts()
  /// The data needed to continue a download whose agent is gone (`ResumeRecord`).
  package var resume: Data?
  /// Which boot of the machine `resume` is of: after another one the disk may lack bytes of the file behind `synced`.
  package var boot: String?
  /// How many bytes of the file the disk has for certain; nil for none.
  package var synced: Int64?
  package var outcome: TransferOutcome?
  /// True if a client has answered a challenge of it with a credential: without a client the next one waits.
  package var needsClient: Bool?
  /// True if the record was read from a journal, where its credentials are not: the task waits for a client, which gives the
  /// request again.
  package var lacksCredentials: Bool?
  /// True if the client gave resume data, and does not know yet where the download continued.
  package var tellsResumption: Bool?

  package init(key: UUID, number: Int, request: RequestRecord, upload: String?, created: Date) {
    (self.key, self.number, self.request, self.upload, self.created) = (key, number, request, upload, created)
  }
}
