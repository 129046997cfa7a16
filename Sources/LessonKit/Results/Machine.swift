// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Glibc

/// The machine a run took place on, as far as it bears on the figures.
public struct Machine: Codable, Sendable, Hashable {
  /// The system's name, such as `Debian GNU/Linux 12 (bookworm)`.
  public var system: String
  /// The kernel's release.
  public var kernel: String
  /// The processor architecture, such as `x86_64`.
  public var architecture: String
  /// Processors in use by the system.
  public var processors: Int
  /// Main memory in bytes.
  public var memory: Int

  /// A machine as given; `current` asks the real one.
  public init(system: String, kernel: String, architecture: String, processors: Int, memory: Int) {
    self.system = system
    self.kernel = kernel
    self.architecture = architecture
    self.processors = processors
    self.memory = memory
  }

  /// The machine this process runs on.
  public static func current(_ process: ProcessInfo = .processInfo) -> Machine {
    var names = utsname()
    uname(&names)
    return Machine(
      system: process.operatingSystemVersionString,
      kernel: text(of: &names.release),
      architecture: text(of: &names.machine),
      processors: process.activeProcessorCount,
      memory: Int(clamping: process.physicalMemory))
  }

  /// The text of a fixed, NUL-terminated C array, as uname(2) fills it.
  private static func text<Array>(of array: inout Array) -> String {
    withUnsafeBytes(of: &array) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
