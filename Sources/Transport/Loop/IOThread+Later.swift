// SPDX-License-Identifier: Apache-2.0

/// The jobs that the I/O thread does later than at once: when the sockets have fallen silent, or at a certain time. On
/// the thread.
extension IOThread {
  /// Jobs for later.
  struct Later {
    var idle: [Entry] = []
    var idleSince: Int64 = 0
    var alarms = Alarms()
  }

  /// How long a job waits for the sockets to fall silent, in nanoseconds.
  private static let idleTime: Int64 = 300_000

  /// True if the jobs for silent sockets have waited long enough.
  var isIdleOverdue: Bool { now - later.idleSince > Self.idleTime }

  /// Runs `job` on the thread as soon as no socket has an event, at the latest a third of a millisecond later.
  func whenIdle(_ job: @escaping Job) {
    if later.idle.isEmpty { later.idleSince = now }
    later.idle.append(Entry(run: job))
  }

  func runIdleJobs() {
    let due = later.idle
    later.idle = []
    for job in due { job.run() }
  }

  /// Runs `job` on the thread so many nanoseconds after this turn began.
  func after(_ delay: Int64, _ job: @escaping Job) {
    later.alarms.set(for: now + delay, job)
  }

  func runAlarms() {
    guard later.alarms.isDue(now) else { return }
    for job in later.alarms.takeDue(now) { job() }
  }
}
