// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Transport

/// A body in a file. On the I/O thread, where no file is touched.
extension Load {
  /// Opens the file beside the loads, then sends `request` with what it has behind `offset` bytes. A file without bytes is a body
  /// without any.
  func send(_ request: URLRequest, withFileAt path: String, from offset: Int64 = 0) {
    let disk = DispatchQueue.disk()
    lookUp(on: disk) {
      Result { () throws(POSIXError) in try FileBodySource(path, from: offset, on: disk) }
    } then: { [self] found in
      switch found {
      case .success(let file):
        transmit(request, file.length == 0 ? .bytes(Data()) : .source(file, length: file.length))
      case .failure(let error):
        let reason = unsafe String(cString: strerror(error.code.rawValue))
        end(
          LoadError.error(
            .requestBodyStreamExhausted, url: request.url, underlying: error,
            description: "The file '\(path)' to be sent cannot be read: \(reason)."))
      }
    }
  }
}
