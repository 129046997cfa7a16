// SPDX-License-Identifier: Apache-2.0
import Glibc
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// DL-16: files that cannot be moved or removed, on both APIs. Each in a process of its own, in a folder of its parent's,
/// for the process itself can remove nothing any more.
@Suite(.exitTests, .enabled(if: FailingCalls.arePossible && !TestMachine.isSanitized)) struct DiskPlaceTests {
  private static let faces = [Face.connection, .downloadTask]

  /// In a process of its own: a whole download to the folder for temporary files.
  private static func load(
    _ face: Face, in folder: URL, whenShown: @escaping @Sendable (URL) -> Void = { _ in }
  ) async throws -> Observation.Facts {
    setenv("TMPDIR", folder.path, 1)
    let server = LessonServer(routes: [DiskTests.held("file")])
    try server.start()
    server.open(gate: "file")
    let download = FileDownload(whenShown: whenShown)
    download.start(face, try #require(URL(string: server.url("/file"))))
    #expect(await download.observation.hasEnded(within: .seconds(TestMachine.patience)))
    try await eventually { download.isOver }
    server.stop()
    return download.observation.facts
  }

  private static func expectWhole(_ facts: Observation.Facts) {
    #expect(facts.error == nil)
    let sum = SeededBody.checksum(seed: 5, size: DiskTests.size)
    #expect(Int64(facts.body.count) == DiskTests.size && BodyChecksum(of: Data(facts.body)).value == sum)
  }

  @Test(arguments: faces, [0o755, 0o1777, 0o700])
  func `a download lies in a private file in a private folder (DL-23)`(face: Face, mode: Int) async throws {
    let folder = try TestDirectory()
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.url.path)
    await #expect(processExitsWith: .success) {
      [face = face as Face, path = folder.url.path as String, isPrivate = (mode == 0o700) as Bool] in
      umask(0)
      let facts = try await DiskPlaceTests.load(face, in: URL(fileURLWithPath: path)) { file in
        #expect(FileManager.default.mode(of: file.path) == 0o600)
        let parent = file.deletingLastPathComponent().path
        #expect(FileManager.default.mode(of: parent) == 0o700)
        #expect(parent == path + (isPrivate ? "" : "/workbench-\(geteuid())"))
      }
      DiskPlaceTests.expectWhole(facts)
    }
  }

  @Test(arguments: faces, [POSIXErrorCode.EXDEV, .EACCES, .ENOSPC, .ENOENT])
  func `where nothing can be renamed, a file is handed over all the same, and goes (DL-16)`(
    face: Face, error: POSIXErrorCode
  ) async throws {
    let folder = try TestDirectory()
    await #expect(processExitsWith: .success) {
      [face = face as Face, number = error.rawValue as Int32, path = folder.url.path as String] in
      let folder = URL(fileURLWithPath: path)
      try FailingCalls.begin(.rename, with: try #require(POSIXErrorCode(rawValue: number)))
      let facts = try await DiskPlaceTests.load(face, in: folder) { file in
        // The program's own attempt, which it hears of; the load has ended well before.
        let result = rename(file.path, folder.appending(path: "kept").path)
        #expect(result == -1 && errno == number)
      }
      DiskPlaceTests.expectWhole(facts)
      try await eventually { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) == [] }
    }
  }

  @Test(arguments: faces)
  func `to another file system a program copies the file while it is shown (DL-16)`(face: Face) async throws {
    let (folder, elsewhere) = (try TestDirectory(), try TestDirectory())
    await #expect(processExitsWith: .success) {
      [face = face as Face, path = folder.url.path as String, goal = elsewhere.url.path as String] in
      try FailingCalls.begin(.rename, with: .EXDEV)
      let goal = URL(fileURLWithPath: goal).appending(path: "kept")
      let facts = try await DiskPlaceTests.load(face, in: URL(fileURLWithPath: path)) { file in
        #expect(throws: Never.self) { try FileManager.default.moveItem(at: file, to: goal) }
      }
      DiskPlaceTests.expectWhole(facts)
    }
    #expect(folder.files == [])
    #expect(elsewhere.size(of: "kept") == DiskTests.size)
  }

  @Test(arguments: faces, [POSIXErrorCode.EACCES, .EIO, .EROFS])
  func `a file that cannot be removed changes no end (DL-16)`(face: Face, error: POSIXErrorCode) async throws {
    let folder = try TestDirectory()
    await #expect(processExitsWith: .success) {
      [face = face as Face, number = error.rawValue as Int32, path = folder.url.path as String] in
      try FailingCalls.begin(.remove, with: try #require(POSIXErrorCode(rawValue: number)))
      DiskPlaceTests.expectWhole(try await DiskPlaceTests.load(face, in: URL(fileURLWithPath: path)))
    }
    #expect(folder.files.count == 1)
  }

  @Test(arguments: faces)
  func `where the file of a load that failed cannot be removed, the first cause is told (DL-16)`(face: Face)
    async throws
  {
    let folder = try TestDirectory()
    await #expect(processExitsWith: .success) { [face = face as Face, path = folder.url.path as String] in
      try FailingCalls.begin(.remove, with: .EACCES)
      var limit = rlimit(rlim_cur: 1_000_000, rlim_max: 1_000_000)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let facts = try await DiskPlaceTests.load(face, in: URL(fileURLWithPath: path))
      let told = facts.error as? URLError
      #expect(told?.errorCode == -3003)
      let beneath = told?.userInfo[NSUnderlyingErrorKey] as? NSError
      #expect(beneath?.domain == NSPOSIXErrorDomain && beneath?.code == Int(POSIXErrorCode.EFBIG.rawValue))
      #expect(facts.body.isEmpty, "a file was shown")
    }
    #expect(folder.files.count == 1)
  }
}
