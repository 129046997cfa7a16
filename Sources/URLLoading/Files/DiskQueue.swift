// SPDX-License-Identifier: Apache-2.0
import Dispatch

extension DispatchQueue {
  /// A queue where the files of one load are touched: a disk that blocks holds up no other load.
  static func disk() -> DispatchQueue { DispatchQueue(label: "url-disk") }
}
