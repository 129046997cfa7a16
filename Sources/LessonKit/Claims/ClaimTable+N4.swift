// SPDX-License-Identifier: Apache-2.0

extension ClaimTable {
  static let note4: [Row] = [
    row("N4-01", 17, says: "The delegate protocol is about failure and authentication; all optional.", .confirmed),
    row("N4-02", 27, says: "Small data, upload and download share one protocol.", .confirmed),
    row("N4-03", 14, says: "A connection serves one request.", .confirmed),
    row("N4-04", 12, says: "A port keeps the network thread's run loop alive.", .confirmed),
    row("N4-05", 12, says: "All callbacks come on the network thread.", .confirmed),
    row("N4-06", 13, says: "The response callback comes exactly once.", .refuted),
    row("N4-07", 12, says: "(defect in the note) The buffer is declared without ownership.", .refuted),
    row(
      "N4-08", 12,
      says: "(defect in the note) The completion gets nil, because the buffer was cleared before.",
      .refuted),
    row(
      "N4-09", 7, 12,
      says: "(defect in the note) The handle is opened on a file that does not exist, so nothing is written.",
      .refuted),
    row("N4-10", 27, says: "Five shortcomings of NSURLConnection.", .confirmed),
    row("N4-11", 7, says: "Write piece by piece, after removing the old file.", .confirmed),
    row("N4-12", 12, says: "Progress is forwarded to main.", .confirmed),
    row(
      "N4-13", 22,
      says: "Resuming is done by hand with the Range header.",
      .qualified, "check 206 and the validator"),
    row("N4-14", 23, says: "Large files: get the size, split, preallocate, write each part at its place.", .qualified),
    row("N4-15", 21, says: "All this holds only while the app is in the foreground.", .confirmed),
    row("N4-16", 12, says: "The connection is created and scheduled on the network thread.", .confirmed),
  ]
}
