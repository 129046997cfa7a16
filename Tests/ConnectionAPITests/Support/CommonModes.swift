// SPDX-License-Identifier: Apache-2.0
@preconcurrency import CoreFoundation
import Foundation

/// Makes `mode` one of the common modes of the calling thread's loop, as the tracking mode is where there is a screen.
func addCommonMode(_ mode: RunLoop.Mode) {
  CFRunLoopAddCommonMode(CFRunLoopGetCurrent(), CFStringCreateWithCString(nil, mode.rawValue, 0x0800_0100))
}
