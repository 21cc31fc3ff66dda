/// Prints a completion script that the user's shell sources.
let completionsVerb = Verb(
  name: "completions",
  summary: "shell completions",
  operands: "bash|zsh|fish",
  operandCount: 1...1,
  notes: "  eval \"$(realm-bench completions bash)\""
) { arguments in
  let verbs = RealmBench.verbs.filter { !$0.hidden }
  let shell = arguments.operands[0]
  switch shell {
  case "bash": Terminal.out(bashCompletions(verbs))
  case "zsh":
    // zsh reads bash's completion functions once it has been asked to.
    Terminal.out("autoload -U +X bashcompinit && bashcompinit\n" + bashCompletions(verbs))
  case "fish": Terminal.out(fishCompletions(verbs))
  default:
    throw UsageError(
      "unknown shell '\(shell)'\(suggestion(for: shell, among: ["bash", "zsh", "fish"])); "
        + "expected bash, zsh or fish")
  }
  return .fine
}

private func bashCompletions(_ verbs: [Verb]) -> String {
  let cases = verbs.map { verb in
    let options = verb.options.filter { !$0.hidden }.map { "--\($0.name)" } + ["--help"]
    return "    \(verb.name)) words=\"\(options.joined(separator: " "))\" ;;"
  }
  return """
    _realm_bench() {
      local words here=${COMP_WORDS[COMP_CWORD]}
      case "${COMP_WORDS[1]}" in
    \(cases.joined(separator: "\n"))
        *) words="\(verbs.map(\.name).joined(separator: " ")) --help --version" ;;
      esac
      if [ "$COMP_CWORD" -gt 1 ] && [ "${here#-}" = "$here" ]; then
        COMPREPLY=($(compgen -f -- "$here"))
      else
        COMPREPLY=($(compgen -W "$words" -- "$here"))
      fi
    }
    complete -F _realm_bench realm-bench

    """
}

private func fishCompletions(_ verbs: [Verb]) -> String {
  var lines = verbs.map {
    "complete -c realm-bench -n __fish_use_subcommand -f -a \($0.name) -d '\(quoted($0.summary))'"
  }
  for verb in verbs {
    for option in verb.options where !option.hidden {
      let value = option.value == nil || option.valueIsOptional ? "" : " -r"
      lines.append(
        "complete -c realm-bench -n '__fish_seen_subcommand_from \(verb.name)' -l \(option.name)"
          + "\(value) -d '\(quoted(option.help))'")
    }
  }
  return lines.joined(separator: "\n") + "\n"
}

private func quoted(_ text: String) -> String {
  text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\\'")
}
