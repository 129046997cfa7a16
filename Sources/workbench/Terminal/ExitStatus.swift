// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LessonKit
import LessonServer

/// The meaning of the exit statuses.
enum ExitStatus {
  static let notAsExpected = ExitCode(1)
  static let environment = ExitCode(3)
  static let usage = ExitCode(64)
  static let fault = ExitCode(70)
  static let interrupted = ExitCode(130)

  /// Runs a command; whatever it throws becomes a sentence on standard error and the status that goes with it.
  static func guarding(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let status as ExitCode {
      throw status
    } catch is CancellationError {
      throw interrupted
    } catch let error as LessonKitError {
      Terminal.tell("workbench: \(error)")
      throw status(of: error)
    } catch let error as LessonServerError {
      Terminal.tell("workbench: \(error)")
      throw error.code == .invalidByteCount ? usage : environment
    } catch {
      Terminal.tell("workbench: this is a fault in the workbench itself: \(error)")
      throw fault
    }
  }

  private static func status(of error: LessonKitError) -> ExitCode {
    switch error.code {
    case .unknownName, .unreadable: usage
    case .environment, .serverLost: environment
    case .notMeasured: fault
    }
  }
}
