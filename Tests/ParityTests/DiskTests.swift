// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

/// DL-16: disks that fail while a body is written to a file, on both APIs. Neither API renames or copies that file: it is
/// handed over where it was written, so that EXDEV is the program's own affair. Each in a process of its own, and so not
/// under a sanitizer, which measures itself in every process that ends.
@Suite(.enabled(if: FailingCalls.arePossible && !TestMachine.isSanitized)) struct DiskTests {
  /// What fails, and the code of the error that has to be told.
  struct Fault: Sendable, Codable {
    var call: FailingCalls.Call
    var number: Int32
    var code: Int

    init(_ call: FailingCalls.Call, _ error: POSIXErrorCode, tells code: Int) {
      (self.call, number, self.code) = (call, error.rawValue, code)
    }
  }

  static let faults = [
    Fault(.write, .EIO, tells: -3003), Fault(.write, .ENOSPC, tells: -3003), Fault(.write, .EDQUOT, tells: -3003),
    Fault(.write, .EROFS, tells: -3003), Fault(.close, .EIO, tells: -3003), Fault(.close, .EDQUOT, tells: -3003),
    Fault(.create, .EIO, tells: -3000), Fault(.create, .EROFS, tells: -3000), Fault(.create, .ENOSPC, tells: -3000),
    Fault(.create, .EDQUOT, tells: -3000),
  ]

  @Test(arguments: [Face.connection, .downloadTask], faults)
  func `DL-16: a disk that fails is told with its error beneath, leaves nothing and stops no other load`(
    face: Face, fault: Fault
  ) async {
    await #expect(processExitsWith: .success) { [face = face as Face, fault = fault as Fault] in
      let folder = try TestDirectory()
      setenv("TMPDIR", folder.url.path, 1)
      try await DiskTests.run(face, fault, folder)
    }
  }

  private static let size: Int64 = 3_000_000

  /// Sends a third, waits at the gate of the path's name, and sends the rest.
  private static func held(_ path: String) -> Route {
    Route("/" + path) { _ in
      [
        .bytes(Response(body: .seeded(seed: 5, range: 0..<size)).head), .seeded(seed: 5, range: 0..<size / 3),
        .gate(path), .seeded(seed: 5, range: size / 3..<size),
      ]
    }
  }

  /// In a process of its own: what fails there fails for good.
  private static func run(_ face: Face, _ fault: Fault, _ folder: TestDirectory) async throws {
    let server = LessonServer(routes: [held("file"), held("other")])
    try server.start()
    let client = Client(face == .connection ? .connection : .dataTask)
    let other = client.start(URLRequest(url: try #require(URL(string: server.url("/other")))))
    try await eventually { !other.facts.body.isEmpty }
    let error = try #require(POSIXErrorCode(rawValue: fault.number))
    let download = Download(whenWritten: {
      do {
        let descriptor = try #require(FailingCalls.descriptor(ofFileNamed: "CFNetworkDownload_"))
        try FailingCalls.begin(fault.call, on: descriptor, with: error)
      } catch {
        Issue.record(error)
      }
      server.open(gate: "file")
    })
    if fault.call == .create {
      try FailingCalls.begin(.create, with: error)
      server.open(gate: "file")
    }
    download.start(face, try #require(URL(string: server.url("/file"))))
    #expect(await download.observation.hasEnded(within: .seconds(TestMachine.patience)))
    let told = download.observation.facts.error as? URLError
    #expect(told?.errorCode == fault.code)
    let beneath = told?.userInfo[NSUnderlyingErrorKey] as? NSError
    #expect(beneath?.domain == NSPOSIXErrorDomain && beneath?.code == Int(fault.number))
    #expect(download.observation.facts.body.isEmpty, "a file was shown")
    #expect(folder.files == [])
    server.open(gate: "other")
    #expect(await other.hasEnded(within: .seconds(TestMachine.patience)))
    #expect(other.facts.error == nil && Int64(other.facts.body.count) == size)
    await client.close()
    try await eventually { download.isOver }
  }
}

/// A load into a file by either API, which tells when a part of it was written.
private final class Download: NSObject, NSURLConnectionDownloadDelegate, URLSessionDownloadDelegate {
  /// Its body is the file's.
  let observation = Observation()
  private let whenWritten: Locked<(@Sendable () -> Void)?>
  private let queue = OperationQueue()
  private let hasEnded = Locked(false)

  init(whenWritten: @escaping @Sendable () -> Void) {
    self.whenWritten = Locked(whenWritten)
    queue.maxConcurrentOperationCount = 1
  }

  /// Whether nothing more will be told.
  var isOver: Bool { hasEnded.withLock { $0 } }

  func start(_ face: Face, _ url: URL) {
    guard face == .connection else {
      let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: queue)
      session.downloadTask(with: url).resume()
      return session.finishTasksAndInvalidate()
    }
    NSURLConnection.begin(URLRequest(url: url), self, on: queue)
  }

  private func noteWriting() {
    whenWritten.withLock { $0.take() }?()
  }

  private func show(_ file: URL) {
    observation.data((try? Data(contentsOf: file)) ?? Data())
  }

  // MARK: NSURLConnection

  func connection(
    _ connection: NSURLConnection, didWriteData bytesWritten: Int64, totalBytesWritten: Int64, expectedTotalBytes: Int64
  ) {
    noteWriting()
  }

  func connectionDidFinishDownloading(_ connection: NSURLConnection, destinationURL: URL) {
    show(destinationURL)
    end(nil)
  }

  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) { end(error) }

  private func end(_ error: (any Error)?) {
    observation.end(error)
    hasEnded.withLock { $0 = true }
  }

  // MARK: URLSession

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    noteWriting()
  }

  func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
    show(location)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    observation.end(error)
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    hasEnded.withLock { $0 = true }
  }
}
