import Evidence

extension TextTable {
  /// What `run --profile` prints: the functions in which the processor was found most often.
  package static func hottest(_ stacks: FoldedStacks, count: Int = 15) -> String {
    var table = TextTable(["share>", "samples>", "function itself, without what it called"])
    for one in stacks.hottest(count) {
      let share = Double(one.samples) / Double(max(1, stacks.total))
      table.add([Figures.percent(share, signed: false), String(one.samples), one.name])
    }
    return table.text
  }
}
