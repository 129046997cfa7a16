// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc

extension DispatchQueue {
  /// A queue where the files of one load are touched: a disk that blocks holds up no other load.
  static func disk() -> DispatchQueue { DispatchQueue(label: "url-disk") }

  /// Closes a file of a load that ends, perhaps on the I/O thread. That waits for a disk which is slow, and where the file has no
  /// name any more for its space to be given back.
  static func closeFile(_ descriptor: Int32) {
    disk().async { close(descriptor) }
  }
}
