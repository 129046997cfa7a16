// SPDX-License-Identifier: Apache-2.0

extension ClaimTable {
  static let note3: [Row] = [
    row("N3-01", 1, says: "The shared session fetches and parses JSON in a few lines.", .confirmed),
    row("N3-02", 1, says: "Every task starts suspended.", .confirmed),
    row("N3-03", 16, says: "POST needs a request with method and body.", .confirmed),
    row("N3-04", 24, says: "finishTasksAndInvalidate lets tasks end, then the session cannot be used.", .confirmed),
    row("N3-05", 24, says: "invalidateAndCancel cancels what is unfinished.", .confirmed),
    row("N3-06", 24, says: "The session keeps its delegate alive until it is invalidated.", .confirmed),
    row("N3-07", 24, says: "Creating sessions again and again costs.", .confirmed),
    row("N3-08", 25, says: "The configuration is a shared environment for all tasks.", .qualified),
    row("N3-09", 3, 25, says: "The delegate queue only says where callbacks run.", .confirmed),
    row(
      "N3-10", 3, 25,
      says: "A nil queue equals a new queue: callbacks run on several threads.",
      .qualified, "serial"),
    row("N3-11", 3, says: "The main queue brings callbacks to main.", .confirmed),
    row(
      "N3-12", 5, 25,
      says: "Progress needs a delegate, so neither the shared session nor a completion handler will do.",
      .confirmed),
    row("N3-13", 24, says: "The session keeps a task until it ends; a cancelled one is released.", .confirmed),
    row("N3-14", 22, says: "Pausing twice loses the resume data.", .confirmed),
    row("N3-15", 22, says: "A task from resume data goes on where the first stopped.", .confirmed),
    row("N3-16", 22, says: "Continuing without resume data does nothing.", .confirmed),
    row("N3-17", 5, 8, says: "didWriteData reports this piece, the total so far and the expected total.", .confirmed),
    row("N3-18", 22, says: "didResumeAtOffset reports offset and total.", .confirmed),
    row("N3-19", 8, says: "Only didFinishDownloadingTo is required; the file is temporary.", .confirmed),
    row("N3-20", 5, says: "Progress arrives off main.", .confirmed),
    row("N3-21", 4, 8, says: "Memory stays low while downloading (33.7 MB seen).", .confirmed),
    row("N3-22", 27, says: "The session handles asynchrony better.", .confirmed),
  ]
}
