/// Prints the manual page, made from the same words as every help.
let manualVerb = Verb(
  name: "manual",
  summary: "the manual page, for man(1)",
  notes: """
      realm-bench manual >~/.local/share/man/man1/realm-bench.1
      realm-bench manual | man -l -
    """
) { _ in
  Terminal.out(Manual(verbs: RealmBench.verbs.filter { !$0.hidden }).text)
  return .fine
}

/// The tool as a page in the language of man(7).
struct Manual {
  let verbs: [Verb]

  var text: String {
    var lines = [
      ".TH REALM-BENCH 1 \"\" \"realm-bench \(Self.escaped(SourceStamp.version))\" \"User "
        + "Commands\"",
      ".SH NAME", "realm-bench \\- rules and costs of Realm's threading model", ".SH SYNOPSIS",
      ".B realm-bench", ".I VERB", "[options]", ".SH DESCRIPTION",
      Self.escaped(RealmBench.question), ".SH VERBS",
    ]
    for verb in verbs {
      lines += [".SS \(Self.escaped("\(verb.name) \(verb.operands)".trimmed))"]
      lines += [Self.escaped(verb.summary.capitalizedFirst + ".")]
      for option in verb.shownOptions {
        lines += [".TP", ".B \(Self.escaped(option.spelled))"]
        lines += [Self.escaped(option.help + (option.repeatable ? " (repeatable)" : ""))]
      }
      if !verb.notes.isEmpty { lines += [".PP", ".nf", Self.escaped(verb.notes), ".fi"] }
    }
    lines += [".SH EXIT STATUS"]
    for (code, meaning) in ExitCode.meanings {
      lines += [".TP", ".B \(code.rawValue)", Self.escaped(meaning)]
    }
    lines += [
      ".SH FILES", ".TP", ".I results/", "What runs leave; results/latest points at the newest.",
      ".TP", ".I .realm-bench/", "Scratch space below the current folder, cleared by the next run.",
      ".SH ENVIRONMENT", ".TP", ".B NO_COLOR", "Anything in it keeps colours away.", ".TP",
      ".B REALM_BENCH_COMMIT", "The commit of a build that lies outside of its checkout.", ".TP",
      ".B JOB_COMPLETION_INDEX, JOB_COMPLETIONS, SLURM_ARRAY_TASK_ID, SLURM_ARRAY_TASK_COUNT",
      "Which shard an array job is.",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// A dash is one that can be searched for and copied; what begins a line is never a request.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let plain = String(line).replacing("\\", with: "\\e").replacing("-", with: "\\-")
      return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }.joined(separator: "\n")
  }
}

extension String {
  /// Without blanks at its end.
  fileprivate var trimmed: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }

  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
