// SPDX-License-Identifier: Apache-2.0
import Foundation
import Targets

/// What libFuzzer calls with every input; the variable FUZZ_TARGET says who gets it.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target.feed(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}

private let target: Target = {
  let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
  guard let target = Target.all.first(where: { $0.name == name }) else {
    print("There is no target “\(name)”; there are:", Target.all.map(\.name).joined(separator: " "))
    exit(64)
  }
  return target
}()
