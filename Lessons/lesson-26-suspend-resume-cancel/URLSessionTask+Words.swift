// SPDX-License-Identifier: Apache-2.0
import SessionAPI

extension URLSessionTask {
  /// State and count of bytes, for the lines that StatesOfATask prints.
  var words: String {
    let names = ["running", "suspended", "canceling", "completed"]
    return "\(names[state.rawValue]), \(countOfBytesReceived) bytes"
  }
}
