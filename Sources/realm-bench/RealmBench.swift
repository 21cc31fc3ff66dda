import Benchmarks
import Evidence
import Foundation

/// The tool as a whole: its verbs, and what it says when asked for none of them.
enum RealmBench {
  static let verbs: [Verb] = [
    runVerb, conformanceVerb, compareVerb, abVerb, bisectVerb, calibrateVerb, trendVerb, reportVerb,
    baselineVerb, listVerb,
    doctorVerb, verifyVerb, inspectVerb, reproVerb, coverageVerb, completionsVerb,
    manualVerb,
    probeVerb, exploreVerb, measureVerb, busyVerb,
  ]

  /// Does what the words say. Every mistake ends as one sentence on stderr.
  static func run(_ words: [String]) -> ExitCode {
    let code = answer(words)
    // What was said has reached nobody: whoever counts on it must not read it as all well.
    guard let reason = Terminal.loss else { return code }
    Terminal.say("realm-bench: cannot write to standard output: \(reason)")
    return code == .fine ? .usage : code
  }

  private static func answer(_ words: [String]) -> ExitCode {
    do {
      return try dispatch(words)
    } catch let error as RecordError {
      Terminal.say("realm-bench: \(error)")
      return ExitCode(rawValue: error.outcome.rawValue) ?? .usage
    } catch let error as BenchmarkError {
      Terminal.say("realm-bench: \(error)")
      return ExitCode(rawValue: error.outcome.rawValue) ?? .usage
    } catch let error as UsageError {
      Terminal.say("realm-bench: \(error)")
      return .usage
    } catch {
      // Foundation's own errors are no sentences: what they are about stands in them, and why
      // below.
      let path = (error as NSError).userInfo[NSFilePathErrorKey] as? String
      let isSystem = [NSCocoaErrorDomain, NSPOSIXErrorDomain].contains((error as NSError).domain)
      Terminal.say(
        "realm-bench: "
          + (isSystem ? "\(path.map { "\($0): " } ?? "")\(explanation(error))" : "\(error)"))
      return .usage
    }
  }

  private static func dispatch(_ given: [String]) throws -> ExitCode {
    let words = try CoreLibraryOption.taken(from: given)
    guard let first = words.first else {
      Terminal.sayLines(help)
      return .usage
    }
    switch first {
    case "--help", "-h", "help":
      if first == "help", words.count > 1 { return try dispatch([words[1], "--help"]) }
      Terminal.out(help)
      return .fine
    case "--version":
      Terminal.out(versionLine + "\n")
      return .fine
    default: break
    }
    guard let verb = verbs.first(where: { $0.name == first }) else {
      let known = verbs.filter { !$0.hidden }.map(\.name) + ["--help", "--version"]
      let kind = first.hasPrefix("-") ? "option" : "verb"
      throw UsageError(
        "unknown \(kind) '\(first)'\(suggestion(for: first, among: known)); "
          + "'realm-bench --help' lists what there is")
    }
    let rest = Array(words.dropFirst())
    let asked = rest.prefix { $0 != "--" }
    if asked.contains("--help") || asked.contains("-h") {
      Terminal.out(verb.help)
      return .fine
    }
    if let child = verb.child { try child(rest) }
    return try verb.run(
      Arguments(rest, verb: verb.name, options: verb.options, operands: verb.operandCount))
  }

  static let question =
    "Does an engine keep Realm's documented threading rules, and what does each rule and "
    + "pattern cost?"

  static var help: String {
    let shown = verbs.filter { !$0.hidden }
    let width = shown.map(\.name.count).max() ?? 0
    let lines = shown.flatMap {
      Verb.folded(
        $0.summary,
        start: "  \($0.name)\(String(repeating: " ", count: width - $0.name.count + 2))")
    }
    return """
      usage: realm-bench VERB [options]

      \(question)

      \(lines.joined(separator: "\n"))

        --help, --version; every verb has a --help of its own
        --realm-core PATH: the realm-core library that engine 'realm' is, here or in
            REALM_CORE_LIBRARY

      exit codes:
      \(ExitCode.meanings.map { "  \($0.rawValue)  \($1)" }.joined(separator: "\n"))

      """
  }

  /// Whether the optimiser has been at work. A debug build's numbers mean nothing.
  static var isReleaseBuild: Bool {
    var debug = false
    assert(
      {
        debug = true
        return true
      }())
    return !debug
  }

  static var versionLine: String {
    let mode = isReleaseBuild ? "release" : "debug"
    return "realm-bench \(SourceStamp.version) (\(SourceStamp.current.commit)), "
      + "engine \(thisEngine.name) \(thisEngine.version), Swift \(swiftVersion), \(mode) build"
  }

  /// The compiler this was built with, as far as the language can ask.
  static var swiftVersion: String {
    #if compiler(>=6.4)
    "6.4+"
    #elseif compiler(>=6.3)
    "6.3"
    #elseif compiler(>=6.2)
    "6.2"
    #else
    "6.1"
    #endif
  }
}
