// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import LessonServer
import Locking
import TestSupport
import Testing
import Timeline

/// The code of note N4 (NSURLConnection Download), put into Swift as Apple's SDK imports it: only import and URL are changed,
/// and where Linux lacks something, the comment says so. The note writes its class three times; each version changes what
/// stands in a `switch` here.
@Suite(.inOrder) struct NotesFourTests {
  private enum Version {
    /// Gathers the data and writes it at the end.
    case first
    /// Writes piece by piece through a handle.
    case withHandle
    /// Tells the main queue how far it is.
    case withProgress
  }

  /// The note's manager: all on one thread of its own, which something to wait for keeps alive. As in the note the thread is one
  /// for the process and never ends.
  private final class URLConnectionManager: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
    // Sendable: after `init`, of the network thread; `lock` guards what `start` sets.
    var onProgress: (@Sendable (Float) -> Void)?

    private let version: Version
    private let folder: URL
    private let runLoopModes: Set<RunLoop.Mode> = [.common]
    private let lock = NSRecursiveLock()
    private let request: URLRequest
    private var connection: NSURLConnection?
    private var outputStream: OutputStream?
    private var completion: (@Sendable (Data?) -> Void)?
    private var receiveData: NSMutableData?
    private var expectedContentLength: Int64 = 0
    private var currentLength: Int64 = 0
    private var filename: String?
    private var fileHandle: FileHandle?
    /// For the test, not the note's.
    private(set) var threads: Set<Int> = []

    init(request: URLRequest, version: Version, folder: URL) {
      (self.request, self.version, self.folder) = (request, version, folder)
      lock.name = "URLConnectionManagerLock"
      // The note's property has no ownership (N4-07), so that its data is gone at once; here it is kept.
      receiveData = NSMutableData()
    }

    private static let ready = DispatchSemaphore(value: 0)
    private static let networkThread: Carried<RunLoop> = {
      let loop = Locked<Carried<RunLoop>?>(nil)
      let thread = Thread {
        Thread.current.name = "URLConnectionManagerThread"
        let runloop = RunLoop.current
        loop.withLock { $0 = Carried(value: runloop) }
        // The note adds an NSMachPort, which the toolchain has not, to keep the loop alive.
        runloop.add(Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }, forMode: .default)
        ready.signal()
        runloop.run()
      }
      thread.start()
      ready.wait()
      return loop.withLock { $0 } ?? Carried(value: .main)
    }()

    private func operationDidStart() {
      lock.lock()
      connection = NSURLConnection(request: request, delegate: self, startImmediately: false)
      let runLoop = RunLoop.current
      for runLoopMode in runLoopModes {
        connection?.schedule(in: runLoop, forMode: runLoopMode)
        outputStream?.schedule(in: runLoop, forMode: runLoopMode)
      }
      outputStream?.open()
      connection?.start()
      lock.unlock()
    }

    func start(withCompletionBlock block: @escaping @Sendable (Data?) -> Void) {
      lock.lock()
      completion = block
      // Without Objective-C there is no performSelector(onThread:); a timer of that loop does the same.
      let timer = Timer(fire: Date(), interval: 0, repeats: false) { [self] _ in operationDidStart() }
      Self.networkThread.value.add(timer, forMode: .default)
      lock.unlock()
    }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
      expectedContentLength = response.expectedContentLength
      currentLength = 0
      guard version != .first else { return }
      filename = response.suggestedFilename
      let abPath = (folder.path as NSString).appendingPathComponent(filename ?? "")
      fileHandle = FileHandle(forWritingAtPath: abPath)
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      threads.insert(ThreadNumber.current)
      currentLength += Int64(data.count)
      let progress = Float(currentLength) / Float(expectedContentLength)
      if version == .first {
        receiveData?.append(data)
      } else {
        fileHandle?.seekToEndOfFile()
        fileHandle?.write(data)
      }
      if version == .withProgress, onProgress != nil {
        DispatchQueue.main.async { [weak self] in self?.onProgress?(progress) }
      }
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      if version == .first {
        _ = receiveData?.write(toFile: "", atomically: true)
        // The note clears the data before the completion gets it (N4-08).
        receiveData = nil
      } else {
        fileHandle?.closeFile()
      }
      DispatchQueue.main.async { [weak self] in self?.completion?(self?.receiveData as Data?) }
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      _ = (error as NSError).code
    }
  }

  /// Runs the manager to its end; what its completion was given, and the file that is there then.
  private func run(
    _ version: Version, hasFile: Bool = false, onProgress: (@Sendable (Float) -> Void)? = nil
  ) async throws -> (data: Data?, file: Data?, threads: Set<Int>) {
    let server = try LessonServer.running()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("file.bin")
    if hasFile { try Data().write(to: file) }
    let request = try server.request("/body?size=1MiB&seed=3&disposition=file.bin")
    let manager = URLConnectionManager(request: request, version: version, folder: folder)
    manager.onProgress = onProgress
    let over = DispatchSemaphore(value: 0)
    let data = Locked<Data?>(Data())
    manager.start { received in
      data.withLock { $0 = received }
      over.signal()
    }
    #expect(try await onOwnThread { over.waitPatiently() })
    return (data.withLock { $0 }, try? Data(contentsOf: file), manager.threads)
  }

  @Test func `the manager on its own thread; its completion gets nil, because the data was cleared before (N4)`()
    async throws
  {
    let (data, file, threads) = try await run(.first)
    #expect(data == nil)
    #expect(file == nil)
    #expect(threads.count == 1 && !threads.contains(1))
  }

  @Test(arguments: [false, true])
  func `the handle writes where a file is already, and nothing where there is none (N4)`(hasFile: Bool) async throws {
    let (data, file, _) = try await run(.withHandle, hasFile: hasFile)
    #expect(data?.isEmpty == true)
    #expect(file?.count == (hasFile ? 1 << 20 : nil))
    let checksum = SeededBody.checksum(seed: 3, size: 1 << 20)
    #expect(file.map { BodyChecksum(of: $0).value } == (hasFile ? checksum : nil))
  }

  @Test func `the progress is told on the main queue, and reaches the whole (N4)`() async throws {
    let told = Locked<[Float]>([])
    _ = try await run(.withProgress) { progress in
      dispatchPrecondition(condition: .onQueue(.main))
      told.withLock { $0.append(progress) }
    }
    let all = told.withLock { $0 }
    #expect(all.last == 1)
    #expect(all == all.sorted())
  }
}
