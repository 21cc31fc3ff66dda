/// Prints a completion script that the user's shell sources.
let completionsVerb = Verb(
  name: "completions",
  summary: "shell completions, of options and of their values",
  operands: "bash|zsh|fish",
  operandCount: 1...1,
  notes: """
      eval "$(realm-bench completions bash)"      in ~/.bashrc
      eval "$(realm-bench completions zsh)"       in ~/.zshrc, before or after compinit
      realm-bench completions fish | source       in ~/.config/fish/config.fish
      zsh: nothing else is needed. Where ~/.zshrc does not start compinit, the first prompt does,
      with the dump that an earlier shell has left ('compinit -C').
    """
) { arguments in
  let verbs = RealmBench.verbs.filter { !$0.hidden }
  let shell = arguments.operands[0]
  switch shell {
  case "bash": Terminal.out("\(places(verbs))\n\(bashCompletions)\n")
  case "zsh": Terminal.out("\(places(verbs))\n\(zshCompletions)\n")
  case "fish": Terminal.out(fishCompletions(verbs))
  default:
    throw UsageError(
      "unknown shell '\(shell)'\(suggestion(for: shell, among: ["bash", "zsh", "fish"])); "
        + "expected bash, zsh or fish")
  }
  return .fine
}

/// The lists of words that scripts offer, each once, however many options it is the answer of.
private struct WordLists {
  private var numbers: [String: Int] = [:]

  /// The variable of the script that holds these.
  mutating func variable(_ words: [String]) -> String {
    let spelled = words.joined(separator: " ")
    let number = numbers[spelled] ?? numbers.count
    numbers[spelled] = number
    return "_realm_bench_\(number)"
  }

  /// A line for each variable.
  func set(_ line: (_ name: String, _ words: String) -> String) -> [String] {
    numbers.sorted { $0.value < $1.value }.map { line("_realm_bench_\($0.value)", $0.key) }
  }
}

// MARK: What bash and zsh share

/// Functions that find what may stand at a place, in the language that both shells understand.
private func places(_ verbs: [Verb]) -> String {
  var lists = WordLists()
  var cases: [String] = []
  func add(_ place: String, _ what: Completing) {
    let answer =
      switch what {
      case .nothing: "kind=none"
      case .files: "kind=files"
      case .folders: "kind=folders"
      case .runs: "kind=runs"
      case .baselines: "kind=baselines"
      case .words(let words): "kind=words list=$\(lists.variable(words))"
      case .lists(let words): "kind=lists list=$\(lists.variable(words))"
      case .globs(let words): "kind=globs list=$\(lists.variable(words))"
      case .programs(let names): "kind=programs list=$\(lists.variable(names.map { "\($0)=" }))"
      case .settings(let pairs): "kind=settings list=$\(lists.variable(settings(pairs).names))"
      }
    cases.append("  \(place)) \(answer) ;;")
  }
  var listed: Set<String> = []
  let names = verbs.map(\.name)
  add(":-", .words(["--help", "--version", CoreLibraryOption.name]))
  add(":1:", .words(names))
  add("help:1:", .words(names))
  add("*:\(CoreLibraryOption.name)", .files)
  for verb in verbs {
    add("\(verb.name):-", .words(verb.shownOptions.map { "--\($0.name)" }))
    for option in verb.options where !option.hidden && option.value != nil {
      let what = Completing(option, of: verb)
      add("\(verb.name):--\(option.name)", what)
      if case .settings(let pairs) = what {
        for (name, values) in settings(pairs).values where !listed.contains(name) {
          listed.insert(name)
          add("set:\(name)", .lists(values))
        }
      }
    }
    for operand in Completing.operands(of: verb) where operand.what != .nothing {
      let place = operand.place.map { "\($0)" } ?? "*"
      add("\(verb.name):\(place):\(operand.first ?? "*")", operand.what)
    }
  }
  var lines = lists.set { "\($0)='\($1)'" }
  lines += [
    "# What a place takes: VERB:- its options, VERB:--OPTION a value, VERB:N:FIRST an operand,",
    "# set:NAME what a parameter is set to.",
    "_realm_bench_place() {", "  kind= list=", #"  case "$1" in"#,
  ]
  lines += cases
  lines += ["  esac", "}", asking]
  return lines.joined(separator: "\n")
}

/// The names that can be set, each with `=` behind it, and the values of each.
private func settings(
  _ pairs: [String]
) -> (names: [String], values: [(name: String, values: [String])]) {
  var found: [(name: String, values: [String])] = []
  for pair in pairs.map({ $0.split(separator: "=", maxSplits: 1).map(String.init) }) {
    if found.last?.name != pair[0] { found.append((pair[0], [])) }
    found[found.count - 1].values.append(pair[1])
  }
  return (found.map { "\($0.name)=" }, found)
}

private let asking = #"""
  # Behind a name and "=" stand the values of that name.
  _realm_bench_set() {
    case "$kind:$value" in settings:*=*) _realm_bench_place "set:${value%%=*}" ;; esac
  }
  # Sets kind and list for what may stand where the last of these words is begun, and value to as
  # much of it as counts.
  _realm_bench_ask() {
    local verb= first= place=1 ended= word
    while [ $# -gt 1 ]; do
      word=$1; shift
      case "$ended$word" in
      --) ended=: ;;
      -*=*) ;;
      -?*)
        _realm_bench_place "$verb:$word"
        case "$kind:$1" in
        # A flag, or a value that is left out.
        :* | *:-*) ;;
        *) [ $# -gt 1 ] || { value=$1; _realm_bench_set; return; }; shift ;;
        esac ;;
      *) if [ -z "$verb" ]; then verb=$word; else place=$((place + 1)) first=${first:-$word}; fi ;;
      esac
    done
    value=$1
    case "$ended$1" in
    --*=*) value=${1#*=}; _realm_bench_place "$verb:${1%%=*}"; _realm_bench_set ;;
    -*) _realm_bench_place "$verb:-" ;;
    *) _realm_bench_place "$verb:$place:$first" ;;
    esac
  }
  """#

// MARK: bash

private let bashCompletions = #"""
  _realm_bench() {
    local IFS=$' \t\n' kind= list= value= more= cut= add= tool=${1//[\\\"\']/}
    local one gap rest=$COMP_LINE count=0 words=()
    # What a command word begins with is not expanded for this function.
    if [[ $tool =~ ^\$\{?([A-Za-z_][A-Za-z_0-9]*)\}?(.*) ]]; then
      one=${BASH_REMATCH[1]} tool=${!one-}${BASH_REMATCH[2]}
    fi
    tool=${tool/#\~/$HOME}
    # bash splits at = : @, too: what has no space before it goes on with the word.
    for one in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
      gap=${rest%%"$one"*} rest=${rest#*"$one"}
      if [ "$count" = 0 ] || [ -z "$one" ] || [ -n "$gap" ]; then words[count++]=$one
      else words[count-1]+=$one; fi
    done
    _realm_bench_ask "${words[@]:1}"
    # readline replaces $2: less than the value, or more. A quote that is open is not in it.
    case "$2" in [\"\']*) ;; *) value=${value#[\"\']} ;; esac
    case "$2" in *"$value") add=${2%"$value"} ;; *) cut=${value%"$2"} ;; esac
    case "$kind:$value" in
    lists:*) more=${value%"${value##*[,=]}"} ;;
    programs:*=*) kind=files list= more=${value%%=*}= ;;
    globs:!*) more=! ;;
    globs:\\!*) more=\\! ;;
    runs:*) list=$("$tool" baseline list 2>/dev/null | sed 's/ .*//; s/^/@/') ;;
    baselines:*) list=$("$tool" baseline list 2>/dev/null | sed 's/ .*//') ;;
    esac
    case "$kind:$value:$list" in
    runs:@*) ;;
    files:* | folders:* | runs:*) compopt -o filenames 2>/dev/null ;;
    *=) compopt -o nospace 2>/dev/null ;;
    esac
    COMPREPLY=()
    while IFS= read -r one; do
      one=$add${one#"$cut"}
      [ -z "$one" ] || COMPREPLY+=("$one")
    done < <(
      case "$kind" in
      files) compgen -P "$more" -f -- "${value#"$more"}" ;;
      folders | runs) compgen -d -- "$value" ;;
      esac
      compgen -P "$more" -W "$list" -- "${value#"$more"}")
  }
  # bash looks a command up as it was typed, with its quotes, and behind its last slash.
  complete -F _realm_bench realm-bench \\realm-bench \"realm-bench\" \'realm-bench\' \
    realm-bench\" realm-bench\'
  """#

// MARK: zsh

private let zshCompletions = #"""
  _realm_bench() {
    local kind= list= value= expl
    local -a all end
    _realm_bench_ask "${(@Q)words[2,CURRENT-1]}" "$PREFIX"
    [[ $value == "$PREFIX" ]] || compset -P 1 '*='
    case $kind in
    lists) compset -P '*[,=]' ;;
    programs) compset -P 1 '*=' && kind=files ;;
    runs | baselines)
      list=$(_call_program baselines ${words[1]} baseline list 2>/dev/null | sed 's/ .*//') ;;
    esac
    all=(${=list})
    [[ $list == *= ]] && end=(-S '')
    [[ $kind == globs && ${(Q)value} == \!* ]] && all=(\!$^all)
    case $kind in
    files) _files ;;
    folders) _files -/ ;;
    runs)
      all=(${all/#/@})
      _alternative 'baselines:baseline:compadd -a all' 'runs:run:_files -/' ;;
    ?*) _wanted words expl word compadd "$end[@]" -a all ;;
    esac
  }
  # zsh looks a path up by what stands behind its last slash, as it was typed.
  _realm_bench_define() { compdef _realm_bench realm-bench realm-bench\" realm-bench\' }
  if (( ${+functions[compdef]} )); then
    _realm_bench_define
  else
    # compinit comes later in ~/.zshrc, or never: the first prompt knows. Without -C it would look
    # through all functions each time.
    _realm_bench_start() {
      precmd_functions=(${precmd_functions[@]:#_realm_bench_start})
      if (( ! ${+functions[compdef]} )); then autoload -Uz compinit; compinit -C; fi
      _realm_bench_define
    }
    precmd_functions+=(_realm_bench_start)
  fi
  """#

// MARK: fish

private func fishCompletions(_ verbs: [Verb]) -> String {
  var lists = WordLists()
  var lines: [String] = []
  func add(_ place: String, _ offer: String, _ help: String = "") {
    let told = help.isEmpty ? "" : " -d '\(quoted(help))'"
    lines.append("complete -c realm-bench -n '__realm_bench_at \"\(place)\"' \(offer)\(told)")
  }
  func answer(_ what: Completing) -> String {
    switch what {
    case .nothing: "-f"
    case .files: "-F"
    case .folders: "-f -a '(__fish_complete_directories)'"
    case .runs: "-f -a '(__realm_bench_baselines @; __fish_complete_directories)'"
    case .baselines: "-f -a '(__realm_bench_baselines \"\")'"
    case .words(let words): "-f -a '$\(lists.variable(words))'"
    case .lists(let words): "-f -a '(__realm_bench_lists $\(lists.variable(words)))'"
    case .globs(let words): "-f -a '(__realm_bench_globs $\(lists.variable(words)))'"
    case .settings(let pairs): "-f -a '(__realm_bench_settings $\(lists.variable(pairs)))'"
    // fish itself completes files behind the sign.
    case .programs(let names): "-F -a '$\(lists.variable(names.map { "\($0)=" }))'"
    }
  }
  add("", "-l help")
  add("", "-l version")
  let core = CoreLibraryOption.name
  add("(.* \(core))?", "-l \(core.dropFirst(2)) -r -F")
  for verb in verbs {
    for place in ["", "help"] { add(place, "-f -a \(verb.name)", verb.summary) }
    for option in verb.shownOptions {
      let isValued = option.value != nil && !option.valueIsOptional
      let what = answer(Completing(option, of: verb))
      add("\(verb.name)\\b.*", "-l \(option.name)\(isValued ? " -r" : "") \(what)", option.help)
      // A value behind a space, too, which fish takes for an operand.
      if option.valueIsOptional { add("\(verb.name)\\b.* --\(option.name)", what) }
    }
    for operand in Completing.operands(of: verb) where operand.what != .nothing {
      let place = operand.place ?? 1
      let before = [verb.name, operand.first ?? "\\S+", "\\S+"].prefix(place)
      add(
        before.joined(separator: " ") + (operand.place == nil ? "\\b.*" : ""), answer(operand.what))
    }
  }
  let valued = verbs.flatMap { verb in
    verb.options.filter { !$0.hidden && $0.value != nil }.map { "\(verb.name):--\($0.name)" }
  }
  var head = lists.set { "set -g \($0) \($1)" }
  head.append("set -g __realm_bench_valued \(valued.joined(separator: " "))")
  head += [fishFunctions, "complete -c realm-bench -f"]
  return (head + lines).joined(separator: "\n") + "\n"
}

private let fishFunctions = #"""
  # Whether the verb and the operands before the cursor are these; behind an option that may have a
  # value, the option is the last.
  function __realm_bench_at
      set -l given (commandline -opc)
      set -e given[1]
      set -l words
      set -l open
      while set -q given[1]
          set -l word $given[1]
          set -e given[1]
          set open
          if not string match -q -- '-*' $word
              set -a words $word
          else if contains -- "$words[1]:$word" $__realm_bench_valued; or test $word = --realm-core
              if not set -q given[1]
                  set open " $word"
              else if not string match -q -- '-*' $given[1]
                  set -e given[1]
              end
          end
      end
      string match -qr -- "^$argv\$" "$words$open"
  end
  function __realm_bench_baselines
      set -l tool (string replace -r '^~' $HOME -- (commandline -opc)[1])
      # What a command word begins with is not expanded here.
      if set -l parts (string match -r '^\{?\$(\w+)\}?(.*)' -- $tool)
          set tool $$parts[2]$parts[3]
      end
      command -q -- $tool; or return
      command $tool baseline list 2>/dev/null |
          string replace -r '^(\S+).*' "$argv\$1"
  end
  function __realm_bench_lists
      set -l had (commandline -ct | string replace -r '^(--[a-z-]+=)?([^ ]*,)?.*' '$2')
      printf '%s\n' $had$argv
  end
  # Names that can be set, or behind one the values that it has.
  function __realm_bench_settings
      set -l value (commandline -ct | string replace -r '^--[a-z-]+=' '')
      set -l name (string match -r '^[^=]*=' -- $value)
      if test -z "$name"
          printf '%s\n' $argv | string replace -r '=.*' '=' | sort -u
          return
      end
      set -l had (string replace -r '[^,=]*$' '' -- $value)
      string match -- "$name*" $argv | string replace -- $name $had
  end
  function __realm_bench_globs
      set -l without
      commandline -ct | string match -qr '^(--[a-z-]+=)?[\'"\\\\]?!'; and set without !
      printf '%s\n' "$without"$argv
  end
  """#

/// Inside single quotes fish knows two escapes.
private func quoted(_ text: String) -> String {
  text.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
    .split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\\'")
}
