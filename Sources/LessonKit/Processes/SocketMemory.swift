// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The bytes that the kernel holds in TCP sockets of processes. Neither a process's resident memory nor a limit of the
/// kernel counts them, and one socket may hold megabytes.
///
/// Sockets without a descriptor count, too, where a port of theirs is one of the processes': those that wait to be accepted, and those
/// that were closed before all was sent.
struct SocketMemory {
  /// Fewer sockets than these hold less than a program may have.
  private static let few = 32
  private static let link = Array("socket:[".utf8)

  private struct Socket {
    var ports: [String]
    var bytes: Int
    var inode: Int
  }

  /// The bytes that sockets of these processes hold; 0 where there are few sockets. The processes share one network.
  static func bytes(of processes: [pid_t]) -> Int {
    var inodes: Set<Int> = []
    for process in processes { inodes.formUnion(self.inodes(of: process)) }
    guard inodes.count > few, let first = processes.first else { return 0 }
    let all = ["tcp", "tcp6"].flatMap { sockets(in: "/proc/\(first)/net/\($0)") }
    let ports = Set(all.filter { inodes.contains($0.inode) }.compactMap(\.ports.first))
    return all.filter { inodes.contains($0.inode) || $0.inode == 0 && !ports.isDisjoint(with: $0.ports) }
      .reduce(0) { $0 + $1.bytes }
  }

  /// The inodes behind a process's descriptors that are sockets (proc_pid_fd(5)); none where they may not be read.
  private static func inodes(of process: pid_t) -> [Int] {
    let path = "/proc/\(process)/fd"
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var found: [Int] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      var target = [UInt8](repeating: 0, count: 64)
      let count = target.withUnsafeMutableBytes { bytes in
        bytes.withMemoryRebound(to: CChar.self) { text in
          text.baseAddress.map { readlinkat(dirfd(folder), name, $0, text.count) } ?? 0
        }
      }
      target.removeLast(target.count - max(0, count))
      guard target.starts(with: link) else { continue }
      if let inode = Int(String(decoding: target.dropFirst(link.count).dropLast(), as: UTF8.self)) {
        found.append(inode)
      }
    }
    return found
  }

  /// The lines of a table (proc_net_tcp(5)): number, both addresses with their ports, state, bytes to send and to read in
  /// hexadecimal digits, …, and as tenth the inode.
  private static func sockets(in table: String) -> [Socket] {
    let text = String(decoding: ChildWatch.bytes(of: table), as: UTF8.self)
    return text.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count > 9, let inode = Int(fields[9]) else { return nil }
      let bytes = fields[4].split(separator: ":").compactMap { Int($0, radix: 16) }.reduce(0, +)
      let ports = fields[1...2].compactMap { $0.split(separator: ":").last.map(String.init) }
      return Socket(ports: ports, bytes: bytes, inode: inode)
    }
  }
}
