// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import TestSupport
import Testing

@testable import SessionAPI

/// DL-16: disks that fail when a download stops, or goes on. Each in a process of its own, for what fails there fails for
/// good. (What fails while a body is written is told on both APIs: ParityTests/DiskTests.)
@Suite(.exitTests, .enabled(if: FailingCalls.arePossible)) struct DownloadDiskTests {
  /// A download under way, of which a part is in its file.
  private static func begin(_ directory: TestDirectory) async throws -> (Fixture, URLSessionDownloadTask) {
    let fixture = try Fixture([PartRoutes.held("/file")], directory: directory.url)
    let task = fixture.session.downloadTask(with: try fixture.url("/file"))
    task.resume()
    try await fixture.recorder.log.wait { $0.contains { $0.kind == "written" } }
    return (fixture, task)
  }

  @Test(arguments: [POSIXErrorCode.EIO, .ENOSPC, .EDQUOT])
  func `what the disk did not take for good is no resume data, after a cancel (DL-16)`(error: POSIXErrorCode) async {
    await #expect(processExitsWith: .success) { [number = error.rawValue as Int32] in
      let directory = try TestDirectory()
      let (fixture, task) = try await DownloadDiskTests.begin(directory)
      try FailingCalls.begin(.sync, with: try #require(POSIXErrorCode(rawValue: number)))
      #expect(await task.cancelByProducingResumeData() == nil)
      #expect(try await fixture.events().contains(.complete(-999)))
      #expect((task.error as? URLError)?.downloadTaskResumeData == nil)
      #expect(directory.files == [])
    }
  }

  @Test func `what the disk did not take for good is no resume data, after a lost connection (DL-16)`() async {
    await #expect(processExitsWith: .success) {
      let directory = try TestDirectory()
      let (fixture, task) = try await DownloadDiskTests.begin(directory)
      try FailingCalls.begin(.sync, with: .EIO)
      fixture.server.stop()
      #expect(try await fixture.events().contains(.complete(-1005)))
      #expect((task.error as? URLError)?.downloadTaskResumeData == nil)
      #expect(directory.files == [])
    }
  }

  @Test func `a part that cannot be gone on with makes the task fail, and stays for another time (DL-16)`() async {
    await #expect(processExitsWith: .success) {
      let directory = try TestDirectory()
      let (fixture, first) = try await DownloadDiskTests.begin(directory)
      let data = try #require(await first.cancelByProducingResumeData())
      try FailingCalls.begin(.truncate, with: .EIO)
      let second = fixture.session.downloadTask(withResumeData: data)
      second.resume()
      #expect(try await fixture.events(after: 2).contains(.complete(-3003)))
      let beneath = (second.error as? URLError)?.userInfo[NSUnderlyingErrorKey] as? NSError
      #expect(beneath?.domain == NSPOSIXErrorDomain && beneath?.code == Int(POSIXErrorCode.EIO.rawValue))
      #expect(directory.files.count == 1)
    }
  }

  @Test(arguments: [POSIXErrorCode.EIO, .EACCES, .ENOENT, .EROFS])
  func `a part that cannot be opened makes the task fail with -3001, and stays (DL-16)`(error: POSIXErrorCode) async {
    await #expect(processExitsWith: .success) { [number = error.rawValue as Int32] in
      let directory = try TestDirectory()
      let (fixture, first) = try await DownloadDiskTests.begin(directory)
      let data = try #require(await first.cancelByProducingResumeData())
      try FailingCalls.begin(.reopen, with: try #require(POSIXErrorCode(rawValue: number)))
      let second = fixture.session.downloadTask(withResumeData: data)
      second.resume()
      #expect(try await fixture.events(after: 2).contains(.complete(-3001)))
      let beneath = (second.error as? URLError)?.userInfo[NSUnderlyingErrorKey] as? NSError
      #expect(beneath?.domain == NSPOSIXErrorDomain && beneath?.code == Int(number))
      #expect(directory.files.count == 1)
    }
  }
}
