import Evidence

/// The page of one run: the answer first, then what it stands on.
package struct RunReport {
  package let run: Run
  /// Parts made by others, such as the verdicts on rules; they stand before the machine.
  package let extra: [PageSection]

  /// Where names lead to.
  package let links: Links

  package init(_ run: Run, extra: [PageSection] = [], links: Links = Links()) {
    self.run = run
    self.extra = extra
    self.links = links
  }

  /// What a reader takes home, in one sentence.
  package var sentence: String { Answer(run: run).sentence }

  package var html: String {
    Page(title: title, lead: Answer(run: run).html, sections: sections, data: data).html
  }

  private var sections: [PageSection] {
    var sections: [PageSection] = []
    if let comparison = run.comparison {
      sections += ComparisonReport.sections(comparison, of: run)
    }
    sections += ChapterSections(run: run, links: links).sections
    sections += [
      ScalingSection(run: run).section, SizeSection(run: run).section,
      LatencySection(run: run).section, GrowthSection(run: run).section,
      GroupingSection(run: run).section,
      WaysSection(run: run).section, StallSection(run: run).section,
      ResourcesSection(run: run).section,
    ].compactMap { $0 }
    if let examination = run.examination {
      if let others = run.otherExaminations {
        sections.append(ConformanceMatrix([examination] + others).section)
      }
      sections +=
        ConformanceSection(examination, links: links, places: run.catalogue ?? []).sections
    }
    return sections + extra + [
      MachineSection(environment: run.environment).section, MethodSection(run: run).section,
    ]
  }

  private var title: String {
    switch run.asked.verb {
    case "ab": "realm-bench: two builds compared"
    case "conformance": "realm-bench: rule by rule"
    default: "realm-bench: what each pattern costs"
    }
  }

  /// The numbers on the page for other programs; single rounds and histograms lie in the files
  /// beside it.
  private var data: String {
    var slim = run
    slim.results = run.measured
    for i in slim.results.indices {
      slim.catalogue = nil
      slim.results[i].histogram = nil
      for j in slim.results[i].values.indices { slim.results[i].values[j].rounds = [] }
    }
    return (try? RunDirectory.encode(slim, pretty: false)) ?? "{}"
  }
}
