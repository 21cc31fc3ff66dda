import Evidence

/// JUnit XML as Jenkins and others read it: a regression is a failure, what could not be decided is
/// skipped, a crash or a wrong answer is an error.
enum JUnitExport {
  static func text(_ run: Run) -> String {
    var cases: [String] = []
    var failures = 0
    var errors = 0
    var skipped = 0
    func add(_ name: String, _ kind: String, _ seconds: Double, _ inner: String) {
      cases.append(
        "    <testcase classname=\"\(Markup.escape(kind))\" name=\"\(Markup.escape(name))\" "
          + "time=\"\(Figures.fixed(seconds, 9))\">\(inner)</testcase>\n"
      )
    }
    func element(_ tag: String, _ message: String) -> String {
      let line = Markup.escape(message.replacing("\n", with: " "))
      return "<\(tag) message=\"\(line)\">\(line)</\(tag)>"
    }
    for row in run.comparison?.rows ?? [] {
      let name = "\(row.benchmark) \(row.metric)"
      let said = "\(row.metric) \(Figures.percent(row.change)): \(row.note)"
      var inner = ""
      switch row.verdict {
      case .regressed where row.acknowledged != nil:
        skipped += 1
        let why = "acknowledged: \(row.acknowledged ?? ""); \(said)"
        inner = "<skipped message=\"\(Markup.escape(why))\"/>"
      case .regressed:
        failures += 1
        inner = element("failure", said)
      case .inconclusive, .cannotTell:
        skipped += 1
        inner = "<skipped message=\"\(Markup.escape(said))\"/>"
      case .invalid:
        errors += 1
        inner = element("error", row.note)
      case .improved, .unchanged: break
      }
      add(name, row.engine, 0, inner)
    }
    for name in run.comparison?.unjudged ?? [] {
      skipped += 1
      add(name, run.asked.verb, 0, "<skipped message=\"measured and not judged\"/>")
    }
    if run.comparison == nil {
      for finding in run.own {
        if !finding.valid { errors += 1 }
        add(
          finding.benchmark, finding.engine, (finding["time"]?.value ?? 0) * 1e-9,
          finding.valid ? "" : element("error", finding.reason))
      }
    }
    let took = Figures.fixed(run.durationSeconds ?? 0, 3)
    let counts =
      "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\" "
      + "skipped=\"\(skipped)\" time=\"\(took)\""
    let stamp = run.started.replacing("Z", with: "")
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="realm-bench" \(counts)>
        <testsuite name="\(Markup.escape(run.asked.verb))" \(counts) timestamp="\(Markup.escape(stamp))" hostname="\(Markup.escape(run.environment.machineID))">
          <properties><property name="seed" value="\(run.asked.seed)"/><property name="commit" value="\(Markup.escape(run.commit))"/></properties>
      \(cases.joined())  </testsuite>
      </testsuites>

      """
  }
}
