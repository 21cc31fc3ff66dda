/// A table that scrolls inside its own region, as wide as it must be on a narrow screen.
package struct HTMLTable {
  package struct Column {
    package let title: String
    package let isNumber: Bool
    package init(_ title: String, number: Bool = false) {
      self.title = title
      isNumber = number
    }
  }

  package struct Cell: ExpressibleByStringInterpolation {
    let html: String
    let kind: String
    /// Plain text.
    package init(stringLiteral value: String) { self.init(value) }
    package init(_ text: String, kind: String = "") {
      html = Markup.escape(text)
      self.kind = kind
    }
    /// Markup that is safe already.
    package init(html: String, kind: String = "") {
      self.html = html
      self.kind = kind
    }
  }

  private let caption: String
  private let columns: [Column]
  private var rows: [String] = []

  package init(_ caption: String, _ columns: [Column]) {
    self.caption = caption
    self.columns = columns
  }

  package var isEmpty: Bool { rows.isEmpty }

  /// A row whose first cell names it.
  package mutating func add(_ cells: [Cell]) {
    var out = "<tr>"
    for (place, (cell, column)) in zip(cells, columns).enumerated() {
      let kinds = [column.isNumber ? "n" : "", cell.kind].filter { !$0.isEmpty }
      let spelled = kinds.isEmpty ? "" : " class=\"\(kinds.joined(separator: " "))\""
      out +=
        place == 0
        ? "<th scope=\"row\"\(spelled)>\(cell.html)</th>" : "<td\(spelled)>\(cell.html)</td>"
    }
    rows.append(out + "</tr>")
  }

  /// A heading over the rows that follow.
  package mutating func group(_ title: String, note: String = "") {
    let noted = note.isEmpty ? "" : " <span class=\"soft\">\(Markup.escape(note))</span>"
    rows.append(
      "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"\(columns.count)\">"
        + "\(Markup.escape(title))\(noted)</th></tr>")
  }

  package var html: String {
    let head = columns.map {
      "<th scope=\"col\"\($0.isNumber ? " class=\"n\"" : "")>\(Markup.escape($0.title))</th>"
    }.joined()
    return """
      <div class="scroll" role="region" tabindex="0" aria-label="\(Markup.escape(caption))"><table>
      <caption>\(Markup.escape(caption))</caption>
      <thead><tr>\(head)</tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></div>
      """
  }
}
