/// Prints a completion script that the user's shell sources.
let completionsVerb = Verb(
  name: "completions",
  summary: "shell completions, of options and of their values",
  operands: "bash|zsh|fish",
  operandCount: 1...1,
  notes: """
      eval "$(realm-bench completions bash)"      in ~/.bashrc
      eval "$(realm-bench completions zsh)"       in ~/.zshrc, with compinit or without
      realm-bench completions fish | source       in ~/.config/fish/config.fish
    """
) { arguments in
  let verbs = RealmBench.verbs.filter { !$0.hidden }
  let shell = arguments.operands[0]
  switch shell {
  case "bash": Terminal.out(bashCompletions(verbs))
  case "zsh":
    // zsh reads bash's completion functions once it has been asked to; that in turn needs its own
    // system, which a plain ~/.zshrc never starts.
    Terminal.out(
      """
      autoload -Uz compinit
      (( $+functions[compdef] )) || compinit -u -D
      autoload -U +X bashcompinit && bashcompinit
      \(bashCompletions(verbs))
      """)
  case "fish": Terminal.out(fishCompletions(verbs))
  default:
    throw UsageError(
      "unknown shell '\(shell)'\(suggestion(for: shell, among: ["bash", "zsh", "fish"])); "
        + "expected bash, zsh or fish")
  }
  return .fine
}

// MARK: bash, and zsh by its compatibility

private func bashCompletions(_ verbs: [Verb]) -> String {
  let options = verbs.map { verb in
    "    \(verb.name)) "
      + "words=\"\(verb.shownOptions.map { "--\($0.name)" }.joined(separator: " "))\" ;;"
  }
  // One line for each list of words, however many options it is the answer of.
  var lists: [String: Int] = [:]
  var values: [String] = []
  func answer(_ completing: Completing) -> String? {
    switch completing {
    case .nothing: return "kind=none"
    case .files: return "kind=files"
    case .folders: return "kind=folders"
    case .words(let words):
      let spelled = words.joined(separator: " ")
      let number = lists[spelled] ?? lists.count
      lists[spelled] = number
      return "kind=words words=$_realm_bench_\(number)"
    }
  }
  for verb in verbs {
    for option in verb.options where !option.hidden && option.value != nil {
      if let told = answer(Completing(option, of: verb)) {
        values.append("    \(verb.name):--\(option.name)) \(told) ;;")
      }
    }
    if let told = answer(Completing(operandOf: verb)) {
      values.append("    \(verb.name):) \(told) ;;")
    }
  }
  let spelled = lists.sorted { $0.value < $1.value }
    .map { "_realm_bench_\($0.value)='\($0.key)'" }
  return """
    \(spelled.joined(separator: "\n"))
    _realm_bench() {
      local words= kind= here=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
      # `--option=value` comes as three words.
      if [ "$here" = = ]; then here=; elif [ "$before" = = ]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
      case "$before" in --*) ;; *) before= ;; esac
      if [ "$COMP_CWORD" -le 1 ]; then
        words="\(verbs.map(\.name).joined(separator: " ")) --help --version" kind=words
      elif [ "${here#-}" != "$here" ]; then
        kind=words
        case "${COMP_WORDS[1]}" in
    \(options.joined(separator: "\n"))
        esac
      else
        case "${COMP_WORDS[1]}:$before" in
    \(values.joined(separator: "\n"))
        "${COMP_WORDS[1]}:"*) kind=files ;;
        esac
      fi
      COMPREPLY=()
      case "$kind" in
        words) COMPREPLY=($(compgen -W "$words" -- "$here")) ;;
        files) COMPREPLY=($(compgen -f -- "$here")); compopt -o filenames 2>/dev/null ;;
        folders) COMPREPLY=($(compgen -d -- "$here")); compopt -o filenames 2>/dev/null ;;
      esac
    }
    complete -F _realm_bench realm-bench

    """
}

// MARK: fish

private func fishCompletions(_ verbs: [Verb]) -> String {
  var lines = ["complete -c realm-bench -f"]
  lines += verbs.map {
    "complete -c realm-bench -n __fish_use_subcommand -f -a \($0.name) -d '\(quoted($0.summary))'"
  }
  for verb in verbs {
    let here = "complete -c realm-bench -n '__fish_seen_subcommand_from \(verb.name)'"
    for option in verb.shownOptions {
      var line = "\(here) -l \(option.name)"
      if option.value != nil, !option.valueIsOptional { line += " -r" }
      switch Completing(option, of: verb) {
      case .nothing: line += " -f"
      case .files: line += " -F"
      case .folders: line += " -f -a '(__fish_complete_directories)'"
      case .words(let words): line += " -f -a '\(quoted(words.joined(separator: " ")))'"
      }
      lines.append("\(line) -d '\(quoted(option.help))'")
    }
    switch Completing(operandOf: verb) {
    case .nothing: continue
    case .files: lines.append("\(here) -F")
    case .folders: lines.append("\(here) -f -a '(__fish_complete_directories)'")
    case .words(let words): lines.append("\(here) -f -a '\(quoted(words.joined(separator: " ")))'")
    }
  }
  return lines.joined(separator: "\n") + "\n"
}

/// Inside single quotes fish knows two escapes.
private func quoted(_ text: String) -> String {
  text.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
    .split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\\'")
}
