// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import FoundationNetworking

extension URLCache {
  /// A cache with its files in a folder.
  ///
  /// - Parameters:
  ///   - memoryCapacity: bytes in memory at most.
  ///   - diskCapacity: bytes on the disk at most.
  ///   - directory: the folder, which is made where it is missing; nil for the program's folder below the user's caches.
  public convenience init(memoryCapacity: Int, diskCapacity: Int, directory: URL? = nil) {
    self.init(memoryCapacity: memoryCapacity, diskCapacity: diskCapacity, diskPath: directory?.path)
  }
}
