// SPDX-License-Identifier: Apache-2.0
public import Pitfalls

/// A short, complete program of the kind the notes show, in one of a lesson's two columns.
///
/// It is written as a person would write it for Apple's SDK; nothing of the measuring shows in it. It runs on the main
/// thread of a process of its own.
public struct Example: Sendable {
  /// A resource that the example loads from the lesson server.
  public enum Resource: Sendable, Hashable {
    /// The run's body of S bytes, or a fraction or a multiple of it, with these answers to "how long", "how fast" and
    /// "how soon"; `options` are further parameters of the server's `/body`, such as `etag=v1`.
    case body(
      length: Length = .known, divisor: Int = 1, times: Int = 1, takes: Duration? = nil, after: Duration? = nil,
      options: String = "")
    /// A fraction of the run's body over https, from a server that shows this certificate.
    case secure(Certificate, divisor: Int = 1)
    /// Another path of the server, as it stands.
    case path(String)
    /// A port of this machine where nobody listens.
    case refused

    /// How the server announces the body's length.
    public enum Length: String, Sendable, Hashable {
      /// By Content-Length.
      case known
      /// Not at all: the connection's end is the body's end.
      case none
      /// Not in advance: chunk by chunk.
      case chunked
    }
  }

  /// The certificate that a secure server shows; all but `trusted` have one fault.
  public enum Certificate: String, Sendable, Hashable, CaseIterable {
    /// Signed by the authority that the example's process trusts, and right in every way.
    case trusted
    /// Signed by its own key.
    case selfSigned
    /// Signed by an authority that nobody trusts.
    case unknownAuthority
    /// For another host.
    case wrongHost
    /// Valid until yesterday.
    case expired
  }

  /// The example's name in its lesson, such as `connection/delegate-main`.
  public var id: String
  /// The column it stands in.
  public var side: Side
  /// Its title: what it shows, in half a line.
  public var title: String
  /// Its source file below the lesson's folder.
  public var file: String
  /// The resource it loads.
  public var resource: Resource
  /// The product it makes.
  public var product = Product.lastBody
  /// How its job is meant to end.
  public var expectedEnd: Outcome.Kind
  /// The circumstances of the program while it runs.
  public var circumstances = Circumstances()
  /// True if nothing may run beside it, for a claim or the lesson's text judges what a neighbour disturbs: memory, wake-ups,
  /// processor time, how short a time is. Others wait for a server most of the time, or need next to nothing.
  public var measuresAlone = true
  /// The pitfalls that it has, in the order of the catalogue.
  public var pitfalls: [Pitfall] = []
  /// The lesson and example whose program this is, for one that is borrowed: a run that has measured it already takes that.
  public var origin: Origin?
  /// The program.
  public var run: @Sendable (ExampleContext) -> Void
  /// The substitute that runs in place of `run`, nil for none: the same program, built apart from the workbench.
  public var substitute: Substitute?

  /// The same program in an executable of its own.
  public struct Substitute: Sendable, Hashable {
    /// The id of the example that it is built from.
    public var twin: String
    /// The executable, which calls `OwnProgram.run(programs:)`; nil where it could not be built.
    public var executable: String?
    /// The program's name in the executable.
    public var program: String
    /// Why there is no executable, such as the compiler's first error; empty where there is one.
    public var refusal: Phrase

    /// A substitute as given.
    public init(twin: String, executable: String?, program: String, refusal: Phrase = .empty) {
      (self.twin, self.executable, self.program, self.refusal) = (twin, executable, program, refusal)
    }
  }

  /// Where a borrowed example comes from, by the ids of lesson and example.
  public struct Origin: Sendable, Hashable {
    /// The lesson's id.
    public var lesson: String
    /// The example's id there.
    public var example: String
  }

  /// An example as given.
  public init(
    _ id: String, _ side: Side, _ title: String, file: String, loads resource: Resource = .body(),
    endsAs expectedEnd: Outcome.Kind = .finished, run: @escaping @Sendable (ExampleContext) -> Void
  ) {
    self.id = id
    self.side = side
    self.title = title
    self.file = file
    self.resource = resource
    self.expectedEnd = expectedEnd
    self.run = run
  }
}

extension Example {
  /// The same program, with what it makes.
  public func makes(_ product: Product) -> Example {
    var copy = self
    copy.product = product
    return copy
  }

  /// The same program, with the pitfalls that a run of it shows where `does` is true.
  public func has(_ pitfalls: Pitfall..., when does: Bool = true) -> Example {
    var copy = self
    let all = copy.pitfalls + (does ? pitfalls : [])
    copy.pitfalls = Pitfall.allCases.filter(all.contains)
    return copy
  }

  /// The same program, beside which others may run that may do so, too.
  public func besideOthers() -> Example {
    var copy = self
    copy.measuresAlone = false
    return copy
  }

  /// The same program as an example of the toolchain's column, in an executable of its own. Whatever its end is there, it
  /// is a result and no surprise.
  public func substituted(by executable: String?, program: String, refusal: Phrase = .empty) -> Example {
    var copy = self
    copy.side = .foundation
    copy.id = Self.foundationID(of: id)
    copy.pitfalls = []
    copy.origin?.example = Self.foundationID(of: origin?.example ?? "")
    copy.substitute = Substitute(twin: id, executable: executable, program: program, refusal: refusal)
    return copy
  }

  private static func foundationID(of id: String) -> String {
    "\(Side.foundation.rawValue)/" + id.drop { $0 != "/" }.dropFirst()
  }

  /// An example of another lesson under another name, with its program, its resource and its circumstances. An id that the
  /// lesson does not have is the caller's mistake.
  public static func borrow(_ id: String, of lesson: Lesson, as name: String) -> Example {
    guard var example = lesson.examples.first(where: { $0.id == id }) else {
      preconditionFailure("\(lesson.id) has no example \(id)")
    }
    example.origin = Origin(lesson: lesson.id, example: id)
    example.id = "\(example.side.rawValue)/\(name)"
    example.file = "../\(lesson.folder)/\(example.file)"
    return example
  }
}
