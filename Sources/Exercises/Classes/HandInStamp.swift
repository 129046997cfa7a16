// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// The stamp that tells a hand-in from itself before a change: the names and sizes of its files, and what its programs
/// and archives hold. It finds changes, and is no proof of anything: who hands in is not trusted, and gains nothing by
/// keeping it.
struct HandInStamp: Sendable, Hashable, CustomStringConvertible {
  /// A longer file counts by its size and the time of its last change.
  private static let longest = 16 << 20
  private static let prime: UInt64 = 0x9E37_79B9_7F4A_7C15

  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Sixteen digits.
  var description: String {
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The stamp of a hand-in as it is now, graded in this way.
  init(_ handIn: HandIn, gradedBy way: String) {
    add(Data(way.utf8))
    for place in handIn.places {
      add(Data(place.lastPathComponent.utf8))
      for file in Self.files(of: place) { add(place, file) }
    }
  }

  /// The files of a place, below it and in order; the place itself is the empty name.
  private static func files(of place: URL) -> [String] {
    guard let walk = FileManager.default.enumerator(atPath: place.path) else { return [""] }
    var files: [String] = []
    while let file = walk.nextObject() as? String, files.count <= HandInContents.entries {
      if HandInContents.isHidden(URL(fileURLWithPath: file).lastPathComponent) {
        walk.skipDescendants()
      } else {
        files.append(file)
      }
    }
    return files.isEmpty ? [""] : files.sorted()
  }

  private mutating func add(_ place: URL, _ file: String) {
    let path = file.isEmpty ? place.path : place.appendingPathComponent(file).path
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    add(Data("\(file) \(status.st_mode & S_IFMT)".utf8))
    guard status.st_mode & S_IFMT == S_IFREG else { return }
    let isRead = HandInContents.isProgram(path) || path.lowercased().hasSuffix(".zip")
    if isRead, status.st_size <= Self.longest, let data = FileManager.default.contents(atPath: path) {
      add(data)
    } else {
      add(Data("\(status.st_size) \(isRead ? status.st_mtim.tv_sec : 0)".utf8))
    }
  }

  private mutating func add(_ data: Data) {
    mix(UInt64(data.count))
    data.withUnsafeBytes { bytes in
      for place in stride(from: 0, to: bytes.count & ~7, by: 8) {
        mix(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      }
      for byte in bytes.suffix(bytes.count & 7) { mix(UInt64(byte)) }
    }
  }

  private mutating func mix(_ word: UInt64) {
    state = (state ^ word) &* Self.prime
    state ^= state >> 29
  }
}
