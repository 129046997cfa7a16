// SPDX-License-Identifier: Apache-2.0
public import LessonKit

/// A sentence of advice for errors of the compiler that have a common cause in programs that load something.
enum CompilerAdvice {
  /// At most so many sentences, for a long list is not read.
  private static let most = 3

  private struct Cause {
    /// Words that the error has, each of them.
    var words: [String]
    var advice: Phrase

    init(_ words: String..., advice: Phrase) {
      (self.words, self.advice) = (words, advice)
    }
  }

  /// The more special cause first, for an error gets one sentence.
  private static let causes = [
    Cause(
      "mutation of captured var",
      advice:
        "A handler runs later, on another thread, so it cannot change a variable around it. Go on within the "
        + "handler, or keep the value in a delegate's property."
    ),
    Cause(
      "converting non-Sendable function value",
      advice: "A function that is handed to the library runs on another thread: write @Sendable before its type."),
    Cause(
      "with non-Sendable type '", "->", "closure",
      advice:
        "A function that a handler takes along runs on another thread: write @Sendable before its type, such as "
        + "@escaping @Sendable (Data) -> Void."
    ),
    Cause(
      "with non-Sendable type '", "closure",
      advice:
        "What a handler takes along is used on another thread. Take values along in place of the object, or write "
        + "“final class …: @unchecked Sendable” and guard its properties with a lock."
    ),
    Cause(
      "risks causing data races",
      advice:
        "What a task takes along is used on another thread meanwhile. Take values along in place of the object, "
        + "and leave it alone from there on."
    ),
    Cause(
      "crosses into main actor-isolated code",
      advice:
        "The library calls a delegate on the session's queue, so its class cannot belong to the main actor. Take "
        + "@MainActor away, and name .main as delegate queue."
    ),
    Cause(
      "main actor-isolated",
      advice:
        "This belongs to the main thread, and the code here may run on another one. Go there first: "
        + "DispatchQueue.main.async { … }."
    ),
    Cause(
      "stored property", "'Sendable'-conforming class", "is mutable",
      advice:
        "A session may call its delegate from any thread. Where its properties change on one queue alone, or "
        + "under a lock, say so: “final class …: NSObject, …Delegate, @unchecked Sendable”."
    ),
    Cause(
      "non-final class", "'Sendable'", advice: "A session's delegate is a final class: write “final class”."),
    Cause(
      "is not concurrency-safe", "global shared mutable state",
      advice:
        "Any thread may change a static variable at any time. Make it a let, or keep it in the object that "
        + "changes it."),
    Cause(
      "does not conform to protocol 'NSObjectProtocol'",
      advice: "A delegate is an NSObject: write “final class …: NSObject, …Delegate”."),
    Cause(
      "value of optional type", "must be unwrapped",
      advice:
        "The value may be missing, as the data of a load that failed. Say what happens then: guard let data else "
        + "{ … }."),
    Cause(
      "'async' call in a function that does not support concurrency",
      advice:
        "The program starts in a function that cannot wait: write Task { … } around the call, and app.quit() at "
        + "its end."
    ),
    Cause(
      "(aka 'AnyObject') has no member",
      advice: "URLSession and its kin are in SessionAPI: write import SessionAPI."),
    Cause(
      "cannot find", "'URLSession",
      advice: "URLSession and its kin are in SessionAPI: write import SessionAPI."),
    Cause(
      "cannot find", "'NSURLConnection",
      advice: "NSURLConnection and its kin are in ConnectionAPI: write import ConnectionAPI."),
  ]

  private static let twoLibraries: Phrase =
    "FoundationNetworking has types of the same names, which hide the library's: delete “import FoundationNetworking”."

  /// The sentences for what the compiler wrote of a program, each once, in the order of the errors.
  static func sentences(for output: String, of file: StudentFile) -> [Phrase] {
    let errors = output.split(separator: "\n").filter { $0.contains(": error: ") }
    var sentences: [Phrase] = []
    if !errors.isEmpty, file.modules.contains("FoundationNetworking") { sentences.append(twoLibraries) }
    for error in errors {
      guard let cause = causes.first(where: { $0.words.allSatisfy(error.contains) }) else { continue }
      if !sentences.contains(cause.advice) { sentences.append(cause.advice) }
    }
    return Array(sentences.prefix(most))
  }
}

extension StudentFile {
  /// Sentences on what the compiler wrote of the file, and on methods of delegates that the library never calls.
  public func advice(on output: String = "") -> [Phrase] {
    CompilerAdvice.sentences(for: output, of: self) + DelegateAdvice(source).sentences
  }
}
