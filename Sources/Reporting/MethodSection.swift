import Evidence

/// How the numbers were made, so that a reader can doubt them.
struct MethodSection {
  let run: Run

  var section: PageSection {
    let metrics = Metric.all.map {
      "<dt>\($0.name)</dt><dd>\(Markup.escape($0.sentence)) "
        + "(\(Markup.escape($0.unit)), \($0.better.rawValue) is better, \($0.kind.rawValue))</dd>"
    }.joined()
    return PageSection(
      id: "method", title: "How these numbers were made",
      html: """
        <p>Each round is a fresh process that warms up until five batches in a row are steady, then measures batches that
        last at least a thousand times what reading the clock costs. Rounds of all benchmarks and engines are mixed in
        a random order from the printed seed. A value is the median over rounds of the median over batches; its
        interval comes from order statistics of the rounds and covers 95 % from six rounds on, less below. Percentiles
        are read from the merged histogram of all rounds, three significant digits, and are shown only with ten values
        beyond them. Every benchmark checks its answer; a wrong answer has no speed. Counts come from a separate
        process that is never timed.</p>
        <p>Made with: <code>\(Markup.command(run.asked.command))</code></p>
        <details><summary>Every metric</summary><dl class="facts">\(metrics)</dl></details>
        <p>No score sums up machines or engines: they differ in what they promise.</p>
        """)
  }
}
