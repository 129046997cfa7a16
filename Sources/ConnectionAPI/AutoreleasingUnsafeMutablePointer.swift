// SPDX-License-Identifier: Apache-2.0

/// The pointer type in Apple's signature of `NSURLConnection.sendSynchronousRequest(_:returning:)`.
///
/// Without the Objective-C runtime there is no autoreleasing pointer. Call sites with `&response` or `nil` need none;
/// this alias keeps code that spells the type compiling.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>
