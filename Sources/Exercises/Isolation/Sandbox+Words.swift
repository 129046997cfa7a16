// SPDX-License-Identifier: Apache-2.0
import Glibc
public import LessonKit

extension Sandbox {
  /// Its means of isolating programs, and the user as whom they run.
  public var words: Phrase {
    let otherUser: Phrase = user == nil ? .empty : "each program as another user"
    let network: Phrase = OwnNetwork.isEntered ? "in a network of its own" : "in this machine's network"
    let means: Phrase =
      switch kind {
      case .none: "none: programs of students can read and write whatever this user can"
      case .bubblewrap: Phrase(verbatim: "bubblewrap")
      case .unshare: Phrase(verbatim: "unshare")
      }
    return [means, otherUser, network].filter { !$0.isEmpty }.joined()
  }

  /// The command or sentence that leads to a stronger one; nil where nothing lacks.
  public var cure: Phrase? {
    if lacks.isEmpty { return nil }
    if kind != .bubblewrap, access(Self.bubblewrap, X_OK) != 0 { return Phrase(verbatim: "apt-get install bubblewrap") }
    if kind != .none, OwnNetwork.isEntered { return "grade as an ordinary user" }
    return
      "let this user make namespaces: user.max_user_namespaces above 0; in a container the capability SYS_ADMIN, or no network"
  }
}
