// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import Glibc
import SessionAPI

/// `MeasuredProgram MODE [COUNT]`: a program that loads from a server of its own, as a test measures it. Each mode does what
/// makes measuring hard.
@main enum MeasuredProgram {
  static func main() {
    let arguments = CommandLine.arguments
    let count = arguments.count > 2 ? Int(arguments[2]) ?? 1 : 1
    guard arguments.count > 1, let mode = modes[arguments[1]] else { exit(64) }
    mode(count)
    exit(0)
  }

  private static let modes: [String: @Sendable (Int) -> Void] = [
    "load": load,
    "status": { count in
      load(1)
      exit(Int32(count))
    },
    "abort": { count in
      load(count)
      signal(SIGABRT, SIG_DFL)
      abort()
    },
    "kill": { count in
      load(count)
      kill(getpid(), SIGKILL)
    },
    "wait": { count in
      load(count)
      say("waits")
      while true { pause() }
    },
    "echo": { count in
      load(count)
      say("read \(readLine() ?? "nothing")")
    },
    "threads": threads,
    "fork": fork,
    "children": children,
    "daemonize": closeEverything,
    "execute": { count in
      load(1)
      execute([CommandLine.arguments[0], "load", "\(count)"])
    },
    "become-sleep": { count in
      load(count)
      execute(["/bin/sleep", "0"])
    },
    "secrets": { _ in Secrets.load(server) },
    "overflow": overflow,
    "flood": flood,
    "client-let-go": { _ in Clients.letGo() },
    "client-kept": { _ in Clients.keep() },
    "client-ended": { _ in Clients.end() },
    "download-left": { _ in Clients.leaveFile(server) },
    "forget": { count in
      for _ in 0..<count { _ = URLSession.shared.dataTask(with: server) { _, _, _ in } }
    },
  ]

  static let server = SmallServer.start()

  private static func say(_ line: String) { _ = write(STDOUT_FILENO, line + "\n", line.utf8.count + 1) }

  // MARK: - Modes

  /// Loads one after the other.
  private static func load(_ count: Int) {
    for _ in 0..<count {
      _ = try? NSURLConnection.sendSynchronousRequest(URLRequest(url: server), returning: nil)
    }
  }

  /// A thread for each load, all at the same time.
  private static func threads(_ count: Int) {
    let ended = DispatchSemaphore(value: 0)
    for _ in 0..<count {
      let thread = Thread {
        load(1)
        ended.signal()
      }
      thread.stackSize = 128 << 10
      thread.start()
    }
    for _ in 0..<count { ended.wait() }
  }

  /// Forks again and again while other threads load. A child that waits for a lock of theirs never ends.
  private static func fork(_ count: Int) {
    let ended = DispatchSemaphore(value: 0)
    for _ in 0..<4 {
      Thread {
        load(100)
        ended.signal()
      }.start()
    }
    load(1)
    typealias Fork = @convention(c) () -> pid_t
    guard let symbol = dlsym(nil, "fork") else { exit(70) }
    let fork = unsafeBitCast(symbol, to: Fork.self)
    for _ in 0..<count {
      let child = fork()
      if child == 0 { _exit(0) }
      var status: Int32 = 0
      waitpid(child, &status, 0)
    }
    for _ in 0..<4 { ended.wait() }
  }

  /// Several processes that load.
  private static func children(_ count: Int) {
    load(1)
    for number in 1...count {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = ["load", "\(number)"]
      try? process.run()
      process.waitUntilExit()
    }
  }

  /// Closes, as daemons do, all descriptors but those of its own loads, and loads on.
  private static func closeEverything(_ count: Int) {
    load(1)
    for descriptor in 0..<Int32(1024) {
      var (domain, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
      let isSocket = getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0
      if descriptor <= 2 || isSocket && domain == AF_UNIX { close(descriptor) }
    }
    usleep(100_000)
    load(count)
  }

  private static func execute(_ arguments: [String]) {
    let pointers = arguments.map { strdup($0) } + [nil]
    execv(arguments[0], pointers)
    exit(70)
  }

  /// Stops the reader until events are lost, starts a task meanwhile, and forgets another one afterwards.
  private static func overflow(_ count: Int) {
    let session = URLSession(configuration: .ephemeral)
    let ended = DispatchSemaphore(value: 0)
    let first = session.dataTask(with: server) { _, _, _ in ended.signal() }
    kill(getppid(), SIGSTOP)
    for _ in 0..<10_000 { session.dataTask(with: server) { _, _, _ in }.cancel() }
    first.resume()
    ended.wait()
    kill(getppid(), SIGCONT)
    sleep(1)
    for _ in 0..<count { _ = session.dataTask(with: server) { _, _, _ in } }
  }

  /// Connects to the reader again and again and writes nonsense.
  private static func flood(_ count: Int) {
    load(1)
    let nonsense = [UInt8](repeating: 0xA5, count: 1 << 16)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = ProcessInfo.processInfo.environment["WORKBENCH_RECORD"] ?? ""
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    for _ in 0..<count {
      let link = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          _ = connect(link, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      var byte: UInt8 = 0
      recv(link, &byte, 1, 0)
      // The kernel may have no room for as much at once.
      if send(link, nonsense, nonsense.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) < 0 {
        send(link, nonsense, 16, Int32(MSG_NOSIGNAL))
      }
      close(link)
    }
    load(1)
  }
}
