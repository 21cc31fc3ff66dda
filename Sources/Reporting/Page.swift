import Evidence

/// One part of a page: a heading that the table of contents lists, and markup made elsewhere.
package struct PageSection: Sendable {
  package let id: String
  package let title: String
  /// What stands beside the heading while the part is folded.
  package let note: String
  package let html: String
  /// What a page was made for stands open, however long the page is.
  package let isOpen: Bool

  package init(
    id: String, title: String, note: String = "", html: String, isOpen: Bool = false
  ) {
    self.id = id
    self.title = title
    self.note = note
    self.html = html
    self.isOpen = isOpen
  }
}

/// A page in one file that needs no network and no script.
///
/// 1. Same input, same bytes: nothing here asks the clock or the machine.
/// 2. The policy in its head forbids everything but the one style and the one script, by their
///    hashes; so no attribute `style=` or `on…=` may occur, and colours and sizes of charts are
///    presentation attributes.
/// 3. A long page folds by its parts. The anchor of a part lies inside its fold: a browser that
///    goes there opens it, with scripts or without.
package struct Page {
  package var title: String
  /// Markup above the first section: the answer.
  package var lead: String
  package var sections: [PageSection]
  /// What the page was made from, for other programs to read.
  package var data: String?

  package init(title: String, lead: String, sections: [PageSection], data: String? = nil) {
    self.title = title
    self.lead = lead
    self.sections = sections
    self.data = data
  }

  /// More than some screens of it.
  private static let long = 40_000
  private var isLong: Bool {
    sections.count > 1 && sections.reduce(0) { $0 + $1.html.utf8.count } > Page.long
  }

  private func body(_ section: PageSection) -> String {
    let (id, title) = (Markup.escape(section.id), Markup.escape(section.title))
    guard isLong else {
      return """
        <section id="\(id)" aria-labelledby="\(id)-h">
        <h2 id="\(id)-h">\(title)</h2>
        \(section.html)
        </section>
        """
    }
    let note =
      section.note.isEmpty ? "" : " <span class=\"soft\">\(Markup.escape(section.note))</span>"
    return """
      <details class="chapter"\(section.isOpen ? " open" : "")>
      <summary><h2 id="\(id)-h">\(title)</h2>\(note)</summary>
      <div class="chapter-body" id="\(id)" role="region" aria-labelledby="\(id)-h">
      \(section.html)
      </div>
      </details>
      """
  }

  package var html: String {
    func hash(_ text: String) -> String {
      "'sha256-\(Base64.encode(SHA256.digest(Array(text.utf8))))'"
    }
    let policy =
      "default-src 'none'; style-src \(hash(PageStyle.text)); "
      + "script-src \(hash(PageScript.text)); img-src data:; base-uri 'none'; form-action 'none'"
    let links = sections.map {
      "<li><a href=\"#\(Markup.escape($0.id))\">\(Markup.escape($0.title))</a></li>"
    }.joined()
    let bodies = Quantities.whole(sections.map(body).joined(separator: "\n"))
    let embedded =
      data.map {
        "<script type=\"application/json\" id=\"data\">\(Markup.embed(json: $0))</script>\n"
      } ?? ""
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(Markup.escape(title))</title>
      <style>\(PageStyle.text)</style>
      <link rel="icon" href="data:,">
      </head>
      <body>
      <a class="skip" href="#main">Skip to the results</a>
      <header>
      <h1>\(Markup.escape(title))</h1>
      \(Quantities.whole(lead))
      </header>
      <nav aria-label="Sections"><ul>\(links)</ul></nav>
      <div class="tools" role="search" hidden><label for="filter">Show only rows with</label> \
      <input id="filter" type="search" autocomplete="off" spellcheck="false"> \
      <button type="button" id="unfold">\(isLong ? "Unfold or fold all" : "Unfold all")</button> \
      <span id="told" class="soft" aria-live="polite"></span></div>
      <main id="main" tabindex="-1">
      \(bodies)
      </main>
      <footer><p>Made by realm-bench from the files beside this page; the same files give the same bytes.</p></footer>
      \(embedded)<script>\(PageScript.text)</script>
      </body>
      </html>

      """
  }
}

/// RFC 4648, for the hash in the policy: one place, no Foundation.
enum Base64 {
  static func encode(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var out = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      bits <<= UInt32(8 * (3 - group.count))
      for place in 0..<4 {
        out.append(
          place <= group.count ? alphabet[Int(bits >> UInt32(18 - 6 * place)) & 63] : "=")
      }
    }
    return out
  }
}
