import Evidence

/// Where names lead to: into this page, to their source, to the sentence of a rule.
package struct Links: Sendable {
  /// In front of a path in the repository, such as `https://host/owner/name/blob/commit/`; nil:
  /// paths are told, not linked.
  package let base: String?

  package init(base: String? = nil) {
    self.base = base.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
  }

  /// These, or where nobody said any, what was kept with a run.
  package func settled(by run: Run?) -> Links {
    guard base == nil, let kept = run?.asked.linkBase, Links.isPlace(kept) else { return self }
    return Links(base: kept)
  }

  /// Whether a page may lead there.
  package static func isPlace(_ base: String) -> Bool {
    ["http://", "https://", "file:///", "../", "./", "/"].contains(where: base.hasPrefix)
  }

  /// The anchor of a benchmark or a rule: its own name, which other pages and terminals link to.
  package static func anchor(_ name: String) -> String {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.isASCII
        && ($0.properties.isAlphabetic || $0.properties.numericType != nil
          || "./=_-".unicodeScalars.contains($0))
    }
    if isPlain { return name }
    return Markup.anchor(name) + "-" + String(derivedSeed(0, name), radix: 36)
  }

  /// A link to a benchmark or a rule on the same page.
  package static func here(_ name: String, as text: String? = nil) -> String {
    "<a href=\"#\(Markup.escape(anchor(name)))\">\(Markup.breakable(text ?? name))</a>"
  }

  /// A place in the repository, `Sources/A.swift:12`: a link where there is a base, else the path
  /// itself.
  func source(_ place: String, as text: String = "source") -> String {
    guard !place.isEmpty else { return "" }
    let parts = place.split(separator: ":")
    guard let base, let path = parts.first else {
      return "<code>\(Markup.escape(place))</code>"
    }
    let line = parts.count > 1 ? "#L\(parts[1])" : ""
    return "<a href=\"\(Markup.escape(base + path + line))\">\(Markup.escape(text))</a>"
  }

  /// The sentence of a rule in docs/RULES.md, where its tier follows its name and nowhere else.
  func rule(_ verdict: Verdict) -> String {
    guard let base else { return "" }
    let mark = "\(verdict.id)%20(\(verdict.tier))"
    return "<a href=\"\(Markup.escape("\(base)docs/RULES.md#:~:text=\(mark)"))\">RULES.md</a>"
  }
}
