// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
@preconcurrency import CoreFoundation
import Foundation
import LessonServer
import Locking
import Synchronization
import TestSupport
import Testing

/// The code of note N1 (NSURLConnection笔记), put into Swift as Apple's SDK imports it: only import and URL are changed.
@Suite(.serialized, .inOrder) struct NotesOneTests {
  // MARK: Synchronous and asynchronous

  @Test func `the synchronous download (N1)`() async throws {
    let server = try LessonServer.running()
    let urlstr = server.url("/body?size=1MiB&seed=3")
    let data = try await onOwnThread {
      let url = URL(string: urlstr)
      let request = URLRequest(url: url ?? URL(fileURLWithPath: "/"))
      let data = try NSURLConnection.sendSynchronousRequest(request, returning: nil)
      return data
    }
    #expect(data.count == 1 << 20)
  }

  @Test func `the asynchronous download that writes the file at the end (N1)`() async throws {
    let server = try LessonServer.running()
    // The note's -stringByAddingPercentEscapesUsingEncoding: has become addingPercentEncoding(withAllowedCharacters:).
    let urlstr = server.url("/body?size=1MiB&seed=3&name=a b 文件").addingPercentEncoding(
      withAllowedCharacters: .urlFragmentAllowed)
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: path) }
    let finish = DispatchSemaphore(value: 0)
    try await onOwnThread {
      let url = URL(string: urlstr ?? "")
      let request = URLRequest(url: url ?? URL(fileURLWithPath: "/"))
      NSURLConnection.sendAsynchronousRequest(request, queue: OperationQueue.main) { response, data, connectionError in
        try? data?.write(to: path, options: .atomic)
        finish.signal()
      }
      #expect(finish.waitPatiently())
    }
    #expect(try Data(contentsOf: path).count == 1 << 20)
  }

  // MARK: The delegate with progress, and the four ways to keep the data

  /// The note's delegate, with each way of keeping the data that the note tries.
  final class Download: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    // Sendable: of the thread that runs the connection, and read when that has ended.
    enum Way: CaseIterable { case collect, fileHandle, outputStream }

    var expectedContentLength: Int64 = 0
    var currentLength: Int64 = 0
    var progress: Float = 0
    var targetFilePath = ""
    var fileData: NSMutableData?
    var fileStream: OutputStream?
    /// The note has a plain variable, which one thread writes while another reads it.
    private let finished = Atomic(false)
    var isFinished: Bool {
      get { finished.load(ordering: .sequentiallyConsistent) }
      set { finished.store(newValue, ordering: .sequentiallyConsistent) }
    }
    var rl: CFRunLoop?
    let way: Way
    let folder: String

    init(_ way: Way, folder: URL) {
      self.way = way
      self.folder = folder.path
    }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
      expectedContentLength = response.expectedContentLength
      currentLength = 0
      targetFilePath = (folder as NSString).appendingPathComponent(response.suggestedFilename ?? "")
      try? FileManager.default.removeItem(atPath: targetFilePath)
      if way == .outputStream {
        fileStream = OutputStream(toFileAtPath: targetFilePath, append: true)
        fileStream?.open()
      }
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      currentLength += Int64(data.count)
      progress = Float(currentLength) / Float(expectedContentLength)
      switch way {
      case .collect:
        if fileData == nil { fileData = NSMutableData() }
        fileData?.append(data)
      case .fileHandle: writeToFile(with: data)
      case .outputStream:
        data.withUnsafeBytes { bytes in
          guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
          _ = fileStream?.write(start, maxLength: data.count)
        }
      }
    }

    private func writeToFile(with data: Data) {
      let fp = FileHandle(forWritingAtPath: targetFilePath)
      if fp == nil {
        try? data.write(to: URL(fileURLWithPath: targetFilePath), options: .atomic)
      } else {
        fp?.seekToEndOfFile()
        fp?.write(data)
        fp?.closeFile()
      }
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      if way == .collect {
        _ = fileData?.write(toFile: targetFilePath, atomically: true)
        fileData = nil
      }
      fileStream?.close()
      isFinished = true
      if let rl { CFRunLoopStop(rl) }
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {}
  }

  private static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private static func expectWhole(_ download: Download) throws {
    #expect(download.progress == 1)
    let file = try Data(contentsOf: URL(fileURLWithPath: download.targetFilePath))
    #expect(BodyChecksum(of: file).value == SeededBody.checksum(seed: 3, size: 1 << 20))
  }

  @Test(arguments: Download.Way.allCases)
  func `the delegate, a queue set after the start, and start once more (N1)`(way: Download.Way) async throws {
    let server = try LessonServer.running()
    let urlstr = server.url("/body?size=1MiB&seed=3&disposition=file.bin")
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let download = Download(way, folder: folder)
    try await onOwnThread {
      let url = URL(string: urlstr)
      let request = URLRequest(url: url ?? URL(fileURLWithPath: "/"))
      let conn = NSURLConnection(request: request, delegate: download)
      conn?.setDelegateQueue(OperationQueue())
      conn?.start()
      // The note's main thread runs its loop by itself.
      RunLoop.current.run()
    }
    #expect(download.targetFilePath.hasSuffix("/file.bin"))
    try Self.expectWhole(download)
  }

  @Test func `scheduled in the common modes, then started (N1)`() async throws {
    let server = try LessonServer.running()
    let urlstr = server.url("/body?size=1MiB&seed=3")
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let download = Download(.collect, folder: folder)
    try await onOwnThread {
      // The note passes NSURLCacheStorageNotAllowed, a constant of another type: as a cache policy its number means this.
      let request = URLRequest(
        url: URL(string: urlstr) ?? URL(fileURLWithPath: "/"), cachePolicy: .returnCacheDataElseLoad,
        timeoutInterval: 30)
      let connection = NSURLConnection(request: request, delegate: download, startImmediately: false)
      connection?.schedule(in: RunLoop.current, forMode: .common)
      connection?.start()
      RunLoop.current.run()
    }
    try Self.expectWhole(download)
  }

  // MARK: On a thread without a run loop

  @Test(arguments: [false, true])
  func `in a block on a global queue nothing comes, until run() runs the loop (N1)`(runs: Bool) async throws {
    let server = try LessonServer.running()
    let urlstr = server.url("/body?size=1MiB&seed=3")
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let download = Download(.collect, folder: folder)
    let over = DispatchSemaphore(value: 0)
    let silent = Locked(false)
    DispatchQueue.global().async {
      let url = URL(string: urlstr)
      let request = URLRequest(url: url ?? URL(fileURLWithPath: "/"))
      let conn = NSURLConnection(request: request, delegate: download)
      conn?.setDelegateQueue(OperationQueue())
      conn?.start()
      if runs {
        // On a thread of its own run() ends when the loop has nothing left to wait for; on one of the pool's, what a
        // block before this one left in the loop may keep it, as in the note.
        while !download.isFinished { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.1)) }
      } else {
        // Silence is what is tested. The block keeps its thread meanwhile: on a thread that it returned to the pool,
        // a block of another test might run the loop.
        Thread.sleep(forTimeInterval: 0.3)
        silent.withLock { $0 = !download.isFinished && download.currentLength == 0 }
        conn?.cancel()
      }
      over.signal()
    }
    #expect(try await onOwnThread { over.waitPatiently() })
    #expect(silent.withLock { $0 } != runs)
    if runs { try Self.expectWhole(download) }
  }

  @Test func `on a global queue nothing comes until its loop runs: polled every tenth of a second (N1)`() async throws {
    let server = try LessonServer.running()
    let urlstr = server.url("/body?size=1MiB&seed=3")
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let download = Download(.outputStream, folder: folder)
    let over = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      let url = URL(string: urlstr)
      let request = URLRequest(url: url ?? URL(fileURLWithPath: "/"))
      let conn = NSURLConnection(request: request, delegate: download)
      conn?.setDelegateQueue(OperationQueue())
      conn?.start()
      download.isFinished = false
      while !download.isFinished {
        _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.1))
      }
      over.signal()
    }
    #expect(try await onOwnThread { over.waitPatiently() })
    try Self.expectWhole(download)
  }

  @Test func `CFRunLoopRun, stopped with the loop that was saved (N1)`() async throws {
    let server = try LessonServer.running()
    let urlstr = server.url("/body?size=1MiB&seed=3")
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let download = Download(.fileHandle, folder: folder)
    let over = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      let url = URL(string: urlstr)
      let request = URLRequest(url: url ?? URL(fileURLWithPath: "/"))
      download.rl = CFRunLoopGetCurrent()
      let conn = NSURLConnection(request: request, delegate: download)
      conn?.setDelegateQueue(OperationQueue())
      conn?.start()
      CFRunLoopRun()
      over.signal()
    }
    #expect(try await onOwnThread { over.waitPatiently() })
    try Self.expectWhole(download)
  }
}
