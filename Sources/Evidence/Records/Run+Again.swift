import Foundation

extension Run {
  /// The command that measures one finding again as it was measured here: of two builds both, by
  /// turns.
  package func reproduction(of finding: Finding) -> String {
    let isDuel = asked.verb == "ab"
    var words = ["realm-bench", isDuel ? "ab" : "run"]
    if isDuel {
      words += ["--base", spelled("base", else: comparison?.a.source)]
      words += ["--candidate", spelled("candidate", else: comparison?.b.source)]
    }
    words += ["--filter", Run.quoted(finding.benchmark)]
    if !finding.engine.isEmpty { words += ["--engine", finding.engine] }
    if asked.quick { words.append("--quick") }
    // `ab` plans its rounds by itself unless a number was asked for. A run had as many as were
    // asked for, or as many as its plan and the time that was left allowed.
    if asked.verb == "run", asked.rounds > 0 {
      words += ["--rounds", String(finding.rounds > 0 ? finding.rounds : asked.rounds)]
    }
    if isDuel, let rounds = values(of: "rounds").last { words += ["--rounds", rounds] }
    if let seconds = asked.roundSeconds,
      seconds != Asked.usualRoundSeconds(isQuick: asked.quick)
    {
      words += ["--round-length", String(format: "%gms", seconds * 1000)]
    }
    if let place = engineAt(finding.engine) { words += ["--engine-at", place] }
    // Where and with what it was measured decides what it measured, too.
    let kept =
      ["workdir", "realm-core", "timeout"] + (isDuel ? ["resolution", "blind", "thresholds"] : [])
    for option in kept {
      if let value = values(of: option).last { words += ["--\(option)", value] }
    }
    return (words + ["--seed", String(finding.seed)]).joined(separator: " ")
  }

  private func spelled(_ option: String, else place: String?) -> String {
    values(of: option).last ?? Run.quoted(place ?? "")
  }

  /// Where the build lies that an engine was measured with, as the command said it.
  private func engineAt(_ engine: String) -> String? {
    values(of: "engine-at").first { $0.replacing("'", with: "").hasPrefix("\(engine)=") }
  }

  /// Engines that other builds measured, as `NAME=PROGRAM`.
  package var guests: [String] { values(of: "engine-at").map(Run.unquoted) }

  /// Whether the command had a flag.
  package func asks(for flag: String) -> Bool { words.contains("--\(flag)") }

  /// The command without some of its options, as a shell takes it again.
  func command(without options: [String]) -> String {
    var kept: [String] = []
    var isValue = false
    for word in words {
      let bare = word.replacing("'", with: "")
      if isValue || options.contains(where: { bare.hasPrefix("--\($0)=") }) {
        isValue = false
      } else if options.contains(where: { word == "--\($0)" }) {
        isValue = true
      } else {
        kept.append(word)
      }
    }
    return kept.joined(separator: " ")
  }

  /// The words of the command, as a shell takes them again.
  private var words: [String] {
    var (words, isQuoted, isEscaped) = ([""], false, false)
    for letter in asked.command {
      // A quote within a word leaves the quotes, stands behind a backslash, and enters them again.
      if letter == "'", !isEscaped { isQuoted.toggle() }
      isEscaped = letter == "\\" && !isQuoted && !isEscaped
      if letter == " ", !isQuoted {
        words.append("")
      } else {
        words[words.count - 1].append(letter)
      }
    }
    return words
  }

  /// What the command said to an option, as a shell takes it again, in its order.
  private func values(of option: String) -> [String] {
    let words = words
    let name = "--\(option)"
    return words.indices.compactMap { place -> String? in
      let word = words[place]
      if word == name { return place + 1 < words.count ? words[place + 1] : nil }
      guard word.replacing("'", with: "").hasPrefix("\(name)=") else { return nil }
      let start = word.hasPrefix("'") ? "'" : ""
      return start + word.dropFirst(start.count + name.count + 1)
    }
  }

  /// The word that `quoted` was given.
  private static func unquoted(_ word: String) -> String {
    word.replacing("'\\''", with: "\u{0}").replacing("'", with: "").replacing("\u{0}", with: "'")
  }

  /// A word as a shell takes it whole.
  package static func quoted(_ word: String) -> String {
    "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
