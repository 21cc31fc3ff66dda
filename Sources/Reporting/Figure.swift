/// A figure: drawing, a sentence that says what it shows, and the numbers themselves.
///
/// As wide as a telephone and no wider: its letters stay legible there, and names of lines stand
/// below it as text, where they find room.
struct Figure {
  struct Name {
    let text: String
    /// The mark it has in the drawing.
    let mark: String
  }

  let id: String
  let title: String
  let finding: String
  let svg: String
  let width: Int
  let height: Int
  let names: [Name]
  let table: String

  var html: String {
    let legend = names.map {
      "<li><svg width=\"26\" height=\"14\" viewBox=\"0 0 26 14\" aria-hidden=\"true\">\($0.mark)"
        + "</svg> \(Markup.escape($0.text))</li>"
    }.joined()
    return """
      <figure><figcaption>\(Markup.breakable(title))</figcaption>
      <p class="soft">\(Markup.escape(finding))</p>
      <svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" aria-labelledby="\(id)-t \(id)-d" \
      viewBox="0 0 \(width) \(height)" font-family="sans-serif" font-size="13">\
      <title id="\(id)-t">\(Markup.escape(title))</title>\
      <desc id="\(id)-d">\(Markup.escape(finding))</desc>
      \(svg)</svg>
      \(legend.isEmpty ? "" : "<ul class=\"legend\">\(legend)</ul>")
      <details><summary>The numbers of this chart</summary>\(table)</details></figure>
      """
  }
}
