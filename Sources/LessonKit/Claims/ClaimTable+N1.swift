// SPDX-License-Identifier: Apache-2.0

extension ClaimTable {
  static let note1: [Row] = [
    row(
      "N1-01", 1,
      says: "A URL string with spaces or non-ASCII text must be percent-encoded first.",
      .qualified, "today's `URL(string:)` encodes by itself"),
    row(
      "N1-02", 2,
      says: "The synchronous call blocks until the server has answered; on the main thread the UI freezes.",
      .confirmed),
    row("N1-03", 2, says: "It blocks the calling thread, not necessarily the main one.", .confirmed),
    row("N1-04", 2, says: "The synchronous call returns the whole body as data.", .confirmed),
    row("N1-05", 3, says: "The queue-asynchronous call returns at once and the caller goes on.", .confirmed),
    row("N1-06", 3, says: "The queue argument decides where the handler runs.", .confirmed),
    row("N1-07", 3, says: "UI work belongs on the main thread.", .confirmed),
    row("N1-08", 4, says: "The queue-asynchronous call reports no progress.", .confirmed),
    row("N1-09", 4, says: "Its memory peaks at the size of the file.", .confirmed),
    row("N1-10", 5, says: "The response carries status line, headers and the expected length.", .confirmed),
    row(
      "N1-11", 5,
      says: "Data arrives in many pieces; running total over expected length is the progress.",
      .confirmed),
    row("N1-12", 5, says: "didFinishLoading is the last message.", .confirmed),
    row("N1-13", 14, says: "Failure is reported through didFailWithError.", .confirmed),
    row(
      "N1-14", 5,
      says: "Without further settings callbacks come on the thread that created the connection.",
      .confirmed),
    row("N1-15", 5, 11, says: "With a delegate queue the programmer does not choose the thread.", .confirmed),
    row("N1-16", 6, says: "suggestedFilename keeps the server's file name.", .confirmed),
    row("N1-17", 6, says: "Collecting everything and writing at the end still peaks at the file's size.", .confirmed),
    row("N1-18", 6, says: "The buffer occupies memory until it is released.", .confirmed),
    row("N1-19", 7, says: "Writing each piece through a file handle removes the peak.", .confirmed),
    row("N1-20", 7, says: "A file handle for a path that does not exist is nil.", .confirmed),
    row("N1-21", 7, says: "Seek to the end, write, close for every piece.", .qualified, "correct, but slower"),
    row("N1-22", 7, says: "An existing file must be removed first, since writing appends.", .confirmed),
    row(
      "N1-23", 8,
      says: "An output stream opened for appending removes the peak; open before, close after.",
      .confirmed),
    row(
      "N1-24", 9,
      says: "In the default mode the download stops while the UI is tracking a touch, and goes on afterwards.",
      .confirmed),
    row(
      "N1-25", 9,
      says: "Even with a delegate queue the download suffers from the main thread.",
      .qualified, "true for a, not for b"),
    row(
      "N1-26", 9,
      says: "A connection that started at once stays in the default mode, whatever is scheduled later.",
      .confirmed),
    row(
      "N1-27", 9,
      says: "Created without starting, scheduled in the common modes, then started: callbacks go on while tracking.",
      .confirmed),
    row(
      "N1-28", 9,
      says: "Rescheduling after start, and mixing scheduling with a delegate queue, are errors.",
      .confirmed),
    row("N1-29", 9, says: "A connection can be scheduled on several run loops and modes.", .confirmed),
    row(
      "N1-30", 10,
      says: "Started in a block on a global queue, the callbacks never come, even with a delegate queue set "
        + "after creation.",
      .qualified),
    row("N1-31", 10, says: "Only the main thread's run loop is started by the system.", .confirmed),
    row(
      "N1-32", 11, says: "`run()` on the worker brings the callbacks but never ends.", .qualified,
      "never while anything else is in the loop"),
    row("N1-33", 11, says: "Polling the loop every 0.1 s works and is very costly.", nil),
    row("N1-34", 11, says: "CFRunLoopRun with CFRunLoopStop on the saved loop ends exactly.", .confirmed),
    row(
      "N1-35", 11,
      says: "The thread at the start and the thread at the finish differ (delegate queue), so the starting "
        + "thread's loop must be saved.",
      .confirmed),
    row("N1-36", 1, says: "HEAD gets the headers without the body.", .confirmed),
    row("N1-37", 18, says: "Moving from http to https needs no code where the certificate is trusted.", .confirmed),
  ]
}
