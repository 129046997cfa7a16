// SPDX-License-Identifier: Apache-2.0
import CCMarkGFM

/// A lesson's text as HTML: CommonMark with tables, by libcmark-gfm.
///
/// Raw HTML in a text is escaped, so that no text can bring a script or a request into the page. Headings go down a
/// level or more, for the page has its own above them. Links to other texts of the course become their text, unless the
/// page has what they point to.
struct MarkdownHTML {
  /// How far headings go down.
  var levels = 1
  /// The HTML in place of a comment that refers to code; nil where there is none.
  var code: (String) -> String?
  /// The address in place of a link's; nil where the page has no such place.
  var link: (String) -> String?
  /// The words of a link's place, for a tooltip; nil where it needs none.
  var hint: (String) -> String? = { _ in nil }

  /// The text as HTML; empty where the library has no memory left.
  func html(_ text: String) -> String {
    cmark_gfm_core_extensions_ensure_registered()
    guard let parser = cmark_parser_new(CMARK_OPT_DEFAULT) else { return "" }
    defer { cmark_parser_free(parser) }
    if let tables = cmark_find_syntax_extension("table") { cmark_parser_attach_syntax_extension(parser, tables) }
    let bytes = Array(text.utf8CString)
    cmark_parser_feed(parser, bytes, bytes.count - 1)
    guard let document = cmark_parser_finish(parser) else { return "" }
    defer { cmark_node_free(document) }
    change(document)
    guard let rendered = cmark_render_html(document, CMARK_OPT_DEFAULT, cmark_parser_get_syntax_extensions(parser))
    else { return "" }
    defer { cmark_get_default_mem_allocator().pointee.free(rendered) }
    return String(cString: rendered)
  }

  // MARK: - The tree

  /// Changes what must not reach the page as it is. Nodes are gathered first, since changing ends an iteration.
  private func change(_ document: OpaquePointer) {
    guard let iterator = cmark_iter_new(document) else { return }
    var nodes: [OpaquePointer] = []
    while true {
      let event = cmark_iter_next(iterator)
      if event == CMARK_EVENT_DONE { break }
      if event == CMARK_EVENT_ENTER, let node = cmark_iter_get_node(iterator) { nodes.append(node) }
    }
    cmark_iter_free(iterator)
    for node in nodes { change(one: node) }
  }

  private func change(one node: OpaquePointer) {
    switch cmark_node_get_type(node) {
    case CMARK_NODE_HEADING:
      cmark_node_set_heading_level(node, min(6, cmark_node_get_heading_level(node) + Int32(levels)))
    case CMARK_NODE_HTML_BLOCK: replace(block: node)
    case CMARK_NODE_HTML_INLINE: replace(node, with: CMARK_NODE_TEXT) { cmark_node_set_literal($0, literal(node)) }
    case CMARK_NODE_IMAGE: unwrap(node)
    case CMARK_NODE_SOFTBREAK where isWithinChinese(node): cmark_node_free(node)
    case CMARK_NODE_LINK:
      let address = cmark_node_get_url(node).map { String(cString: $0) } ?? ""
      guard let other = link(address) else { return unwrap(node) }
      cmark_node_set_url(node, other)
      if let hint = hint(address) { cmark_node_set_title(node, hint) }
    default: break
    }
  }

  /// A comment gives way to the code that it refers to, or to nothing; any other HTML to its text.
  private func replace(block node: OpaquePointer) {
    let text = literal(node)
    let line = String(text.prefix { $0 != "\n" })
    if line.hasPrefix("<!--") {
      let html = code(line) ?? ""
      replace(node, with: CMARK_NODE_CUSTOM_BLOCK) { cmark_node_set_on_enter($0, html) }
    } else {
      replace(node, with: CMARK_NODE_CUSTOM_BLOCK) {
        cmark_node_set_on_enter($0, "<p>\(Markup.escaped(text))</p>")
      }
    }
  }

  private func replace(
    _ node: OpaquePointer, with kind: cmark_node_type,
    _ fill: (OpaquePointer) -> Int32
  ) {
    guard let other = cmark_node_new(kind) else { return }
    _ = fill(other)
    if cmark_node_replace(node, other) == 0 { cmark_node_free(other) } else { cmark_node_free(node) }
  }

  /// True if a line ends here in the midst of Chinese, which has no spaces: a browser makes one of the line's end.
  private func isWithinChinese(_ node: OpaquePointer) -> Bool {
    guard let before = cmark_node_previous(node), let after = cmark_node_next(node),
      let last = text(before).last, let first = text(after).first
    else { return false }
    return ChineseText.needsNoSpace(between: last, and: first)
  }

  /// The text of a node; of code and emphasis one letter, which stands for what no full-width mark can be part of.
  private func text(_ node: OpaquePointer) -> String {
    cmark_node_get_type(node) == CMARK_NODE_TEXT ? literal(node) : "x"
  }

  /// Puts a node's children in its place.
  private func unwrap(_ node: OpaquePointer) {
    while let child = cmark_node_first_child(node) { cmark_node_insert_before(node, child) }
    cmark_node_free(node)
  }

  private func literal(_ node: OpaquePointer) -> String {
    cmark_node_get_literal(node).map { String(cString: $0) } ?? ""
  }
}
