// SPDX-License-Identifier: Apache-2.0

/// The parts around a page's content where a server hands it out. A page that stands alone has none of them.
public struct PageFrame {
  /// True if a server hands it out and sends the security policy with it; a page that stands alone has one within.
  public var isServed = false
  /// Finished HTML in the page's head.
  public var head = ""
  /// Finished HTML above the page's heading.
  public var top = ""
  /// Finished HTML before the content.
  public var before = ""
  /// Rules beside the page's own.
  public var style = ""
  /// Script behind the page's own.
  public var script = ""
  /// The address in place of a link to another lesson; nil where there is none for it.
  public var lessonLink: ((String) -> String?)?
  /// The words of a link's place, for a tooltip; nil where it needs none.
  public var linkHint: (String) -> String? = { _ in nil }

  /// No frame.
  public init() {}
}
