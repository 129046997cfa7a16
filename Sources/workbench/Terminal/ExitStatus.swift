// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Exercises
import LessonKit
import LessonServer
import Measuring

/// The meaning of the exit statuses.
enum ExitStatus {
  static let notAsExpected = ExitCode(1)
  static let notCompiled = ExitCode(2)
  static let environment = ExitCode(3)
  static let usage = ExitCode(64)
  static let fault = ExitCode(70)

  /// Runs a command; whatever it throws becomes a sentence on standard error, in the reader's language, and the status
  /// that goes with it.
  static func guarding(
    _ messages: @autoclosure () -> Messages = Messages(catalogue: StringCatalogue(.english)),
    _ body: () async throws -> Void
  ) async throws {
    do {
      try await body()
    } catch let status as ExitCode {
      throw status
    } catch let signal as Interrupted {
      throw ExitCode(signal.status)
    } catch let error as CommandNotStarted {
      if error.status == CommandNotStarted.missing {
        messages().tell("There is no program “\(error.name)”.")
      } else {
        messages().tell("“\(error.name)” could not be started: \(error.reason).")
      }
      throw ExitCode(error.status)
    } catch let error as LessonKitError {
      // The output of the compiler stands as it wrote it.
      if error.code == .notCompiled {
        Terminal.tell(String(error.description.dropLast()))
      } else {
        messages().tell(error.phrase)
      }
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
    case .unknownName, .unreadable, .folder: usage
    case .notCompiled, .noProgram: notCompiled
    case .environment, .serverLost: environment
    case .notMeasured, .fault: fault
    }
  }
}
