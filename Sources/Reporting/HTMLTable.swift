/// A table that scrolls inside its own region, or stands row by row where a screen is narrow.
///
/// Scripts may sort and filter its rows: a cell of numbers carries its value, and rows below a
/// heading carry it too, so that they can be told apart when they are sorted out of their groups.
package struct HTMLTable {
  package struct Column {
    package let title: String
    package let isNumber: Bool
    /// Markup instead of a title: the axis over a column of strips.
    let axis: String?
    package init(_ title: String, number: Bool = false) {
      self.title = title
      isNumber = number
      axis = nil
    }

    init(axis: String, title: String) {
      self.title = title
      self.axis = axis
      isNumber = false
    }
  }

  package struct Cell: ExpressibleByStringInterpolation {
    let html: String
    let kind: String
    /// What it is sorted by.
    var value: Double?
    /// Plain text.
    package init(stringLiteral value: String) { self.init(value) }
    package init(_ text: String, kind: String = "", value: Double? = nil) {
      self.init(html: Markup.escape(text), kind: kind, value: value)
    }
    /// Markup that is safe already.
    package init(html: String, kind: String = "", value: Double? = nil) {
      self.html = html
      self.kind = kind
      self.value = value
    }
  }

  private let caption: String
  private let columns: [Column]
  /// Row by row on a narrow screen, each cell with its column's title, instead of scrolling
  /// sideways.
  private let stacks: Bool
  private var rows: [String] = []
  private var heading = ""

  package init(_ caption: String, _ columns: [Column], stacks: Bool = false) {
    self.caption = caption
    self.columns = columns
    self.stacks = stacks
  }

  package var isEmpty: Bool { rows.isEmpty }

  /// A row whose first cell names it.
  package mutating func add(_ cells: [Cell], id: String? = nil) {
    var out = "<tr\(id.map { " id=\"\(Markup.escape($0))\"" } ?? "")>"
    for (place, (cell, column)) in zip(cells, columns).enumerated() {
      let kinds = [column.isNumber ? "n" : "", cell.kind].filter { !$0.isEmpty }
      var spelled = kinds.isEmpty ? "" : " class=\"\(kinds.joined(separator: " "))\""
      if let value = cell.value, value.isFinite { spelled += " data-v=\"\(Ink.short(value))\"" }
      if place == 0 {
        if !heading.isEmpty { spelled += " data-g=\"\(Markup.escape(heading))\"" }
        out += "<th scope=\"row\"\(spelled)>\(cell.html)</th>"
      } else {
        if stacks, !column.title.isEmpty, column.axis == nil, !cell.html.isEmpty {
          spelled += " data-l=\"\(Markup.escape(Quantities.joined(column.title)))\""
        }
        out += "<td\(spelled)>\(cell.html)</td>"
      }
    }
    rows.append(out + "</tr>")
  }

  /// A heading over the rows that follow. `html` is markup that is safe already.
  package mutating func group(
    _ title: String, note: String = "", id: String? = nil, html: String = ""
  ) {
    heading = title
    let noted = note.isEmpty ? "" : " <span class=\"soft\">\(Markup.escape(note))</span>"
    let anchor = id.map { " id=\"\(Markup.escape($0))\"" } ?? ""
    rows.append(
      "<tr class=\"group\"\(anchor)><th scope=\"rowgroup\" colspan=\"\(columns.count)\">"
        + "\(Markup.breakable(title))\(noted)\(html)</th></tr>")
  }

  package var html: String {
    let head = columns.map { column in
      if let axis = column.axis {
        return "<th scope=\"col\" class=\"axis\"><span class=\"hidden\">"
          + "\(Markup.escape(column.title))</span>\(axis)</th>"
      }
      return "<th scope=\"col\"\(column.isNumber ? " class=\"n\"" : "")>"
        + "\(Markup.escape(column.title))</th>"
    }.joined()
    return """
      <div class="scroll" role="region" tabindex="0" aria-label="\(Markup.escape(caption))">\
      <table\(stacks ? " class=\"stack\"" : "")>
      <caption>\(Markup.escape(caption))</caption>
      <thead><tr>\(head)</tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></div>
      """
  }
}
