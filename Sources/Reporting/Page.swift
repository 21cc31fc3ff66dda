import Evidence

/// One part of a page: a heading that the table of contents lists, and markup made elsewhere.
package struct PageSection: Sendable {
  package let id: String
  package let title: String
  package let html: String

  package init(id: String, title: String, html: String) {
    self.id = id
    self.title = title
    self.html = html
  }
}

/// A page in one file that needs no network and no script.
///
/// 1. Same input, same bytes: nothing here asks the clock or the machine.
/// 2. The policy in its head forbids everything but the one style, by its hash; so no attribute `style=` or
///    `on…=` may occur, and colours and sizes of charts are presentation attributes.
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

  package var html: String {
    let style = Page.style
    let hash = Base64.encode(SHA256.digest(Array(style.utf8)))
    let policy =
      "default-src 'none'; style-src 'sha256-\(hash)'; img-src data:; base-uri 'none'; form-action 'none'"
    let links = sections.map {
      "<li><a href=\"#\(Markup.escape($0.id))\">\(Markup.escape($0.title))</a></li>"
    }.joined()
    let bodies = sections.map {
      """
      <section id="\(Markup.escape($0.id))" aria-labelledby="\(Markup.escape($0.id))-h">
      <h2 id="\(Markup.escape($0.id))-h">\(Markup.escape($0.title))</h2>
      \($0.html)
      </section>
      """
    }.joined(separator: "\n")
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
      <style>\(style)</style>
      </head>
      <body>
      <a class="skip" href="#main">Skip to the results</a>
      <header>
      <h1>\(Markup.escape(title))</h1>
      \(lead)
      </header>
      <nav aria-label="Sections"><ul>\(links)</ul></nav>
      <main id="main" tabindex="-1">
      \(bodies)
      </main>
      <footer><p>Made by realm-bench from the files beside this page; the same files give the same bytes.</p></footer>
      \(embedded)</body>
      </html>

      """
  }

  /// Okabe and Ito's palette, darkened until text reaches 4.5:1 and marks 3:1 in both themes.
  static let style = """
    :root{--paper:#fff;--ink:#1b1b1f;--soft:#55555f;--line:#d5d5dc;--band:#f4f4f7;--accent:#0b5cad;--bad:#b3261e;--good:#0a6b45;--warn:#8a5300;--c0:#0072b2;--c1:#b34700;--c2:#007a5a;--c3:#a1417d;--c4:#6b6400;--c5:#444}
    @media(prefers-color-scheme:dark){:root{--paper:#141417;--ink:#ececf1;--soft:#a9a9b6;--line:#3a3a44;--band:#1e1e24;--accent:#7db8f5;--bad:#ff8a80;--good:#5fd3a4;--warn:#f0b95a;--c0:#56b4e9;--c1:#f08a3c;--c2:#2fc79a;--c3:#e08fc0;--c4:#d9cf4a;--c5:#c8c8d0}}
    *{box-sizing:border-box}
    html{font:16px/1.5 system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;background:var(--paper);color:var(--ink)}
    body{margin:0 auto;max-width:76rem;padding:0 1rem 3rem}
    h1{font-size:1.5rem;line-height:1.25;margin:1.25rem 0 .5rem}
    h2{font-size:1.25rem;margin:2.25rem 0 .5rem;padding-top:.5rem;border-top:2px solid var(--line)}
    h3{font-size:1.05rem;margin:1.5rem 0 .25rem}
    p{margin:.5rem 0;max-width:50rem}
    a{color:var(--accent)}
    a:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
    code,kbd{font-family:ui-monospace,"DejaVu Sans Mono",monospace;font-size:.875em;overflow-wrap:anywhere}
    pre{overflow-x:auto;padding:.5rem .75rem;background:var(--band);border:1px solid var(--line);border-radius:4px}
    .skip{position:absolute;left:-99rem}
    .skip:focus{left:.5rem;top:.5rem;background:var(--paper);padding:.5rem}
    nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;margin:.75rem 0;padding:0}
    nav a{display:inline-block;min-height:24px;padding:.1rem 0}
    .answer{font-size:1.15rem;font-weight:600;max-width:60rem}
    .soft{color:var(--soft)}
    .counts{display:flex;flex-wrap:wrap;gap:.5rem;list-style:none;padding:0;margin:.75rem 0}
    .counts li{border:1px solid var(--line);border-radius:6px;padding:.35rem .75rem;background:var(--band)}
    .counts b{font-size:1.25rem;margin-right:.1rem;font-variant-numeric:tabular-nums}
    .box{border:1px solid var(--line);border-left:5px solid var(--c2);border-radius:4px;background:var(--band);padding:.5rem .9rem;margin:.75rem 0}
    .box-warn{border-left-color:var(--warn)}
    .box-bad{border-left-color:var(--bad)}
    .box p,.box ul{margin:.25rem 0}
    .scroll{overflow-x:auto;margin:.5rem 0}
    table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9375rem}
    caption{text-align:left;color:var(--soft);padding:.25rem 0;caption-side:top}
    th,td{padding:.25rem .65rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
    thead th{border-bottom:2px solid var(--soft);vertical-align:bottom}
    td.n,th.n{text-align:right;white-space:nowrap}
    tbody th{font-weight:500}
    tr.group th{padding-top:.9rem;font-weight:600}
    .bad{color:var(--bad)}.good{color:var(--good)}.warn{color:var(--warn)}
    .verdict{white-space:nowrap;font-weight:600}
    .best{font-weight:700}
    .tag{display:inline-block;border:1px solid var(--line);border-radius:4px;padding:0 .35rem;font-size:.8125rem;color:var(--soft);white-space:nowrap}
    details{margin:.35rem 0}
    summary{cursor:pointer;min-height:24px;color:var(--accent)}
    figure{margin:1rem 0}
    figcaption{font-weight:600;margin-bottom:.25rem}
    svg{max-width:none;display:block}
    svg text{fill:var(--ink);font-family:inherit}
    svg .soft{fill:var(--soft)}
    svg .grid{stroke:var(--line)}
    svg .axis{stroke:var(--soft)}
    svg .band{fill:var(--band)}
    svg .s0{stroke:var(--c0)}svg .s1{stroke:var(--c1)}svg .s2{stroke:var(--c2)}svg .s3{stroke:var(--c3)}svg .s4{stroke:var(--c4)}svg .s5{stroke:var(--c5)}
    svg .f0{fill:var(--c0)}svg .f1{fill:var(--c1)}svg .f2{fill:var(--c2)}svg .f3{fill:var(--c3)}svg .f4{fill:var(--c4)}svg .f5{fill:var(--c5)}
    dl.facts{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem}
    dl.facts dt{color:var(--soft)}dl.facts dd{margin:0;overflow-wrap:anywhere}
    footer{margin-top:3rem;color:var(--soft);font-size:.875rem}
    @media(max-width:34rem){dl.facts{grid-template-columns:1fr}dl.facts dd{margin-bottom:.4rem}h1{font-size:1.25rem}}
    @media(forced-colors:active){svg .s0,svg .s1,svg .s2,svg .s3,svg .s4,svg .s5{stroke:CanvasText}svg .f0,svg .f1,svg .f2,svg .f3,svg .f4,svg .f5{fill:CanvasText}}
    @media print{body{max-width:none}nav,.skip{display:none}.scroll{overflow:visible}details>*{display:block}section{break-inside:auto}figure,tr{break-inside:avoid}}
    """
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
