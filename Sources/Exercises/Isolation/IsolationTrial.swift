// SPDX-License-Identifier: Apache-2.0
import Foundation
public import LessonKit

/// The isolation around the programs that a grading process runs, as such a process finds it.
///
/// A process cannot leave the network that it enters for grading, see `OwnNetwork`. So who only wants to know asks a child.
public struct IsolationTrial: Codable, Sendable, Hashable {
  /// The means of isolating programs, and the user as whom they run.
  public var state: Phrase
  /// The command or sentence that leads to more; nil where nothing lacks.
  public var cure: Phrase?

  /// Makes the trial in this process, which has entered a network of its own if it may.
  public static func here() async -> IsolationTrial {
    let sandbox = await Sandbox.strongest()
    return IsolationTrial(state: sandbox.words, cure: sandbox.cure)
  }

  /// Makes the trial in a child that is started with these arguments and prints its trial as JSON.
  ///
  /// - Parameter executable: the workbench.
  public static func inChild(
    executable: String = "/proc/self/exe", _ arguments: [String]
  ) async -> IsolationTrial {
    let output: String
    do {
      output = try await ToolRun(executable, arguments).output
    } catch {
      output = "\(error)"
    }
    let trial = try? JSONDecoder().decode(IsolationTrial.self, from: Data(output.utf8))
    return trial
      ?? IsolationTrial(
        state: "it could not be tried: \(output.trimmingCharacters(in: .whitespacesAndNewlines))",
        cure: Phrase(verbatim: (["workbench"] + arguments).joined(separator: " ")))
  }
}
