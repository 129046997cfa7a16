// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonServer
import Locking
import SessionAPI
import TestSupport
import Testing

/// DL-16: disks that fail while a body is written to a file, on both APIs. Each in a process of its own, and so not under a
/// sanitizer, which measures itself in every process that ends. Of the codes for files that A.11 names
///
/// - −3000 (cannot create) and −3003 (cannot write) are told here, the latter also where only the closing says that not all
///   was written, so that nobody gets −3002 (cannot close) for a file that lacks bytes;
/// - −3001 (cannot open) is for what an earlier download left, or for an upload's file, which `NSURLConnection` does not know:
///   SessionAPITests, DownloadDiskTests and UploadTaskTests;
/// - −3004 (cannot remove) and −3005 (cannot move) cannot come: a file that stays when it should go is nothing that the
///   program could mend, and changes no end; and neither API moves a file. DiskPlaceTests shows both;
/// - −3006 and −3007 (decoding failed) cannot come: they are for the archives that `NSURLDownload` unpacked, which neither API
///   has. A content coding that breaks is −1015, as in memory (FaultTests, CE-01 to CE-06).
@Suite(.exitTests, .enabled(if: FailingCalls.arePossible && !TestMachine.isSanitized)) struct DiskTests {
  /// The call that fails, and the code of the error that has to be told.
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
  func `a disk that fails is told with its error beneath, leaves nothing and stops no other load (DL-16)`(
    face: Face, fault: Fault
  ) async {
    await #expect(processExitsWith: .success) { [face = face as Face, fault = fault as Fault] in
      let folder = try TestDirectory()
      setenv("TMPDIR", folder.url.path, 1)
      try await DiskTests.run(face, fault, folder)
    }
  }

  static let size: Int64 = 3_000_000

  /// Sends a third, waits at the gate of the path's name, and sends the rest.
  static func held(_ path: String) -> Route {
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
    let download = FileDownload(whenWritten: {
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
