// SPDX-License-Identifier: Apache-2.0

/// A comparison as it is stored: written by `compare --json`, drawn by `chart`.
public struct Comparison: Codable, Sendable {
  /// How often each side ran; fewer for jobs that take long by design.
  public var runs: Int
  /// Which processors served and which loaded, in a sentence.
  public var arrangement: String
  /// The day, ISO 8601; nil in files of former versions, as the machine.
  public var measured: String?
  /// The machine.
  public var machine: String?
  /// The jobs, in the order of the table.
  public var rows: [Row]

  /// One job.
  public struct Row: Codable, Sendable {
    /// As in `--rows`.
    public var name: String
    /// What the job is, in words.
    public var title: String
    /// What was judged or shown, from medians.
    public var figures: [Figure]
    /// What a user would pick instead, in the same run; nil where nothing ran beside.
    public var peers: [Peer]?

    /// A job with its figures.
    public init(name: String, title: String, figures: [Figure]) {
      (self.name, self.title, self.figures) = (name, title, figures)
    }
  }

  /// One peer of a job.
  public struct Peer: Codable, Sendable {
    /// Whose it is, such as "async-http-client".
    public var name: String
    /// What it costs as a share of plain C; nil where it did not come to its end.
    public var value: Double?

    /// A peer with its figure.
    public init(name: String, value: Double?) {
      (self.name, self.value) = (name, value)
    }
  }

  /// One figure of a job.
  public struct Figure: Codable, Sendable {
    /// As in the table, such as "CPU, ours to C".
    public var name: String
    /// The figure, rounded as in the table.
    public var value: Double
    /// The greatest value it may have; nil where it is only shown.
    public var bound: Double?

    /// A figure, judged where there is a bound.
    public init(name: String, value: Double, bound: Double?) {
      (self.name, self.value, self.bound) = (name, value, bound)
    }
  }

  /// A comparison of these rows.
  public init(runs: Int, arrangement: String, rows: [Row]) {
    (self.runs, self.arrangement, self.rows) = (runs, arrangement, rows)
  }
}
