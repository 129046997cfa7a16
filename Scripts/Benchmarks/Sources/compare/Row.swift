// SPDX-License-Identifier: Apache-2.0

/// One line of the comparison: the same job on both sides and what ours must reach.
struct Row: Sendable {
  /// Which figure is judged.
  enum Figure: Sendable {
    /// Processor time of the job, ours to C.
    case processor
    /// Processor time of the whole process, its start included, ours to C.
    case processorOfProcess
    /// Processor time of the job, the agent's included, to that of a foreground download.
    case processorWithAgent
    /// Processor time of the job to that of the same GETs without cookies and cache.
    case processorToPlain
    /// Processor time of the job to that of half of it: growth with the number of what there is.
    case processorToHalf
    /// Time on the clock, ours to C.
    case wall
    /// Time on the clock, to that of a foreground download.
    case wallToForeground
    /// Growth of resident memory, in MiB.
    case growth
    /// The same, in KB (1,000 bytes) for each transfer.
    case growthPerTransfer
    /// The same, as a share of the body's size.
    case growthToSize
    /// Threads when the job is done.
    case threads
  }

  /// The figure and the greatest value it may have; infinity where it is only shown.
  struct Bound: Sendable {
    var figure: Figure
    var limit: Double

    static let shown = Bound(figure: .processorOfProcess, limit: .infinity)
  }

  var name: String
  var title: String
  /// Who answers.
  enum Server {
    /// The lesson server; over TLS it speaks HTTP/2, too.
    case lessons, secureLessons
    /// The server of this package, in C.
    case bodies, secureBodies
  }

  /// Where the server answers the job.
  var path: String
  /// The job's name and arguments. "FILE" stands for a path in the temporary folder, "BODY" for a file there with the
  /// bytes to send, "LINES" for one with lines.
  var job: [String]
  /// The bytes that must arrive, or be sent; of `cached` the answers.
  var bytes: Int64
  var bounds: [Bound]
  /// Where it answers the small transfer before.
  var warmUp = "/1k"
  var server = Server.lessons
  /// True if plain C runs beside it.
  var hasBaseline = true
  /// C's job where it has another name.
  var baselineJob: [String]?
  /// Another job of ours in place of plain C's.
  var foreground: [String]?
  /// Bytes of C's receive buffer (CURLOPT_BUFFERSIZE); nil for libcurl's default of 16 KiB.
  var buffer: Int?
  /// Fewer runs for a job that takes long by design.
  var mostRuns = Int.max

  /// What peers are compared by, which is what is judged beside plain C; nil where nothing is.
  var compared: Figure? { bounds.map(\.figure).first { $0 == .processor || $0 == .wall } }

  /// The same job by ours while a recorder listens: many requests may cost fifteen percent more, few two.
  var recorded: Row {
    var row = self
    let isMany = ["small", "serial", "cached", "http2", "newtls", "parallel"].contains(name)
    row.bounds = [Bound(figure: .processor, limit: isMany ? 1.15 : 1.02), Bound(figure: .growth, limit: .infinity)]
    return row
  }

  /// The same job by an earlier build and by this one, which may cost three percent more: of processor time, and of time
  /// where the server makes both wait.
  var besideEarlier: Row {
    var row = self
    let figures: [Figure] = compared == .wall ? [.wall, .processor] : [.processor]
    row.bounds = figures.map { Bound(figure: $0, limit: 1.03) }
    return row
  }

  private static let gibibyte: Int64 = 1 << 30

  /// GETs of 1 KiB, one after the other, each of an address of its own; beside them the same without cookies and cache.
  private static func plain(
    _ name: String, _ title: String, control: String, job: String, _ count: Int, limit: Double
  ) -> Row {
    Row(
      name: name, title: title, path: "/body?size=1KiB&control=\(control)", job: [job, "\(count)"],
      bytes: Int64(count) * 1024, bounds: [Bound(figure: .processorToPlain, limit: limit)],
      foreground: ["plain", "\(count)"])
  }

  /// So many of something, beside half of them.
  private static func growth(_ name: String, _ title: String, path: String = "/1k", job: [String], half: [String])
    -> Row
  {
    Row(
      name: name, title: title, path: path, job: job, bytes: 0, bounds: [Bound(figure: .processorToHalf, limit: 2.3)],
      foreground: half)
  }

  static let all: [Row] = base + connecting + reading + growing

  /// Connections of other kinds: TLS anew for each, HTTP/2, WebSockets; bodies that are coded, or sent from a stream.
  private static let connecting: [Row] = [
    Row(
      name: "newtls", title: "2,000 × 1 KiB, a new TLS connection for each", path: "/close?size=1024",
      job: ["small", "2000", "1"], bytes: 2_000 * 1024, bounds: [Bound(figure: .processor, limit: 1.15)],
      warmUp: "/?size=1024", server: .secureBodies),
    Row(
      name: "http2", title: "10,000 × 1 KiB over HTTP/2, 100 at a time", path: "/1k", job: ["small", "10000", "100"],
      bytes: 10_000 * 1024, bounds: [Bound(figure: .processor, limit: 1.4)], server: .secureLessons),
    Row(
      name: "brotli", title: "256 MiB of text in brotli, discarded", path: "/brotli", job: ["discard"],
      bytes: 256 << 20, bounds: [Bound(figure: .processor, limit: 1.05), Bound(figure: .growth, limit: 8)],
      warmUp: "/?size=1024", server: .bodies, baselineJob: ["discard", "br"]),
    Row(
      name: "stream", title: "1 GiB from a stream, upload task", path: "/upload", job: ["stream", "BODY"],
      bytes: gibibyte, bounds: [Bound(figure: .processor, limit: 1.2), Bound(figure: .growth, limit: 4)]),
    Row(
      name: "echo", title: "10,000 WebSocket messages of 16 bytes, echoed; a bare socket", path: "/socket",
      job: ["echo", "10000"], bytes: 160_000, bounds: [Bound(figure: .processor, limit: 3)]),
  ]

  /// Bodies that are looked at, byte by byte and line by line.
  private static let reading: [Row] = [
    Row(
      name: "bytes", title: "64 MiB byte by byte, from a task", path: "/body?size=64MiB", job: ["bytes"],
      bytes: 64 << 20, bounds: [Bound(figure: .processor, limit: 2), Bound(figure: .growth, limit: 8)]),
    Row(
      name: "mainbytes", title: "64 MiB byte by byte, on the main actor", path: "/body?size=64MiB", job: ["mainbytes"],
      bytes: 64 << 20, bounds: [Bound(figure: .processor, limit: 2)], baselineJob: ["bytes"], mostRuns: 3),
    Row(
      name: "lines", title: "64 MB in lines of 80 bytes, from a file", path: "/1k", job: ["lines", "LINES"],
      bytes: 64_000_000, bounds: [Bound(figure: .processor, limit: 4)]),
  ]

  /// What must not cost more for each one when there are more of them.
  private static let growing: [Row] = [
    growth(
      "sessions", "2,500 sessions made and kept; beside it 1,250", job: ["sessions", "2500"],
      half: ["sessions", "1250"]),
    growth(
      "loaded", "2,500 sessions that load once and are kept; 1,250", job: ["loaded", "2500"], half: ["loaded", "1250"]),
    growth(
      "queued", "20,000 tasks begun at once, six at a time; 10,000", job: ["queued", "20000"],
      half: ["queued", "10000"]),
    growth(
      "jar", "20,000 cookies of 2,000 hosts, set and found; 10,000", job: ["jar", "20000"], half: ["jar", "10000"]),
    growth(
      "entries", "4,000 answers stored on disk; 2,000", path: "/body?size=1KiB&control=max-age%3D3600",
      job: ["entries", "4000"], half: ["entries", "2000"]),
    growth(
      "descriptors", "500 sessions that load once beside 10,000 open descriptors; 5,000",
      job: ["descriptors", "10000"],
      half: ["descriptors", "5000"]),
    growth(
      "messages", "20,000 WebSocket messages, sent at once; 10,000", path: "/socket", job: ["messages", "20000"],
      half: ["messages", "10000"]),
  ]

  private static let base: [Row] = [
    Row(
      name: "download", title: "1 GiB to a file, download task", path: "/body?size=1GiB", job: ["download", "FILE"],
      bytes: gibibyte, bounds: [Bound(figure: .processor, limit: 0.45), .shown, Bound(figure: .growth, limit: 4)]),
    Row(
      name: "middle", title: "64 MiB to a file, download task", path: "/body?size=64MiB", job: ["download", "FILE"],
      bytes: 64 << 20, bounds: [Bound(figure: .growth, limit: 4)], hasBaseline: false, mostRuns: 3),
    Row(
      name: "large", title: "4 GiB to a file, download task", path: "/body?size=4GiB", job: ["download", "FILE"],
      bytes: 4 * gibibyte, bounds: [Bound(figure: .growth, limit: 4)], hasBaseline: false, mostRuns: 3),
    Row(
      name: "background", title: "1 GiB to a file, background session; beside it in the foreground",
      path: "/body?size=1GiB",
      job: ["background", "FILE"], bytes: gibibyte,
      bounds: [
        Bound(figure: .processorWithAgent, limit: 1.1), Bound(figure: .wallToForeground, limit: 1.1),
        Bound(figure: .growth, limit: 8),
      ],
      foreground: ["download", "FILE"]),
    Row(
      name: "discard", title: "1 GiB discarded, data delegate", path: "/body?size=1GiB", job: ["discard"],
      bytes: gibibyte, bounds: [Bound(figure: .processor, limit: 1), .shown, Bound(figure: .growth, limit: 4)]),
    Row(
      name: "discard512", title: "the same, C with a buffer of 512 KiB", path: "/body?size=1GiB", job: ["discard"],
      bytes: gibibyte, bounds: [Bound(figure: .processor, limit: .infinity)], buffer: 512 << 10),
    Row(
      name: "download512", title: "1 GiB to a file, C with a buffer of 512 KiB", path: "/body?size=1GiB",
      job: ["download", "FILE"], bytes: gibibyte, bounds: [Bound(figure: .processor, limit: .infinity)],
      buffer: 512 << 10),
    Row(
      name: "tls", title: "1 GiB discarded over TLS", path: "/body?size=1073741824", job: ["discard"],
      bytes: gibibyte, bounds: [Bound(figure: .processor, limit: 0.85), .shown], warmUp: "/?size=1024",
      server: .secureBodies),
    Row(
      name: "collect", title: "1 GiB collected for a handler", path: "/body?size=1GiB", job: ["collect"],
      bytes: gibibyte, bounds: [Bound(figure: .growthToSize, limit: 1.05)]),
    Row(
      name: "slow", title: "300 MB, delegate takes 20 ms per callback", path: "/body?size=300000000", job: ["slow"],
      bytes: 300_000_000, bounds: [Bound(figure: .growth, limit: 8)], hasBaseline: false, mostRuns: 3),
    Row(
      name: "parallel", title: "5,000 at once, answered after 2 s", path: "/wait?seconds=2",
      job: ["parallel", "5000"], bytes: 10_000,
      bounds: [
        Bound(figure: .wall, limit: 1.15), Bound(figure: .growthPerTransfer, limit: 30),
        Bound(figure: .threads, limit: 4),
      ]),
    Row(
      name: "small", title: "20,000 × 1 KiB, 16 at a time, kept alive", path: "/1k", job: ["small", "20000", "16"],
      bytes: 20_000 * 1024, bounds: [Bound(figure: .processor, limit: 1.3), .shown]),
    Row(
      name: "serial", title: "5,000 × 1 KiB, one after the other", path: "/1k", job: ["small", "5000", "1"],
      bytes: 5_000 * 1024, bounds: [Bound(figure: .processor, limit: 2.2)]),
    Row(
      name: "cached", title: "20,000 answers from the cache", path: "/cached?control=max-age%3D3600",
      job: ["cached", "20000"], bytes: 20_000, bounds: [Bound(figure: .growth, limit: 4)], hasBaseline: false),
    plain(
      "storable", "300 × 1 KiB, default session, stored on disk", control: "max-age%3D3600", job: "default", 300,
      limit: 2),
    plain(
      "disk", "1,000 answers from the disk, stored by another object", control: "max-age%3D3600", job: "disk", 1_000,
      limit: 0.8),
    plain(
      "unstorable", "5,000 × 1 KiB, default session, no-store", control: "no-store", job: "default", 5_000, limit: 1.3),
    plain(
      "cookies", "5,000 × 1 KiB beside 10,000 cookies of other hosts", control: "no-store", job: "cookies", 5_000,
      limit: 1.2),
    Row(
      name: "upload", title: "256 MiB from a file, upload task", path: "/upload", job: ["upload", "BODY"],
      bytes: 256 << 20, bounds: [Bound(figure: .processor, limit: 0.95), .shown, Bound(figure: .growth, limit: 4)]),
  ]
}
