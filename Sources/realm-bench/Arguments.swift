import Foundation

/// One option of a verb: its long name, what its value is called, and a line of help.
struct Option: Sendable {
  let name: String
  /// What the value is called in help; nil for a flag.
  let value: String?
  let help: String
  var repeatable = false
  /// Understood, but not shown in help: for the tool's own children.
  var hidden = false
  /// A flag that may also carry a value, as in `--json`, `--json FILE` and `--json=FILE`.
  var valueIsOptional = false

  /// As help spells it, with its value.
  var spelled: String {
    guard let value else { return "--\(name)" }
    return valueIsOptional ? "--\(name)[=\(value)]" : "--\(name) \(value)"
  }

  static func flag(_ name: String, _ help: String) -> Option {
    Option(name: name, value: nil, help: help)
  }

  static func value(_ name: String, _ value: String, _ help: String, repeatable: Bool = false)
    -> Option
  {
    Option(name: name, value: value, help: help, repeatable: repeatable)
  }
}

/// The words after a verb, sorted into options and operands, and checked against what the verb
/// knows.
///
/// Long options with `--name value` and `--name=value`; `--` ends options; an unknown option names
/// the nearest known one; a repeated option that may not be repeated is an error rather than a
/// silent "last one wins".
struct Arguments {
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]
  private var flags: Set<String> = []

  init(_ words: [String], verb: String, options: [Option], operands allowed: ClosedRange<Int>)
    throws
  {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let spelled = String(parts[0])
      guard let option = options.first(where: { "--\($0.name)" == spelled }) else {
        let known = options.filter { !$0.hidden }.map { "--\($0.name)" } + ["--help"]
        throw UsageError(
          "unknown option '\(spelled)' for '\(verb)'\(suggestion(for: spelled, among: known)); "
            + "'realm-bench \(verb) --help' lists its options")
      }
      var inline = parts.count == 2 ? String(parts[1]) : nil
      if option.value == nil {
        guard inline == nil else {
          throw UsageError("option '\(spelled)' takes no value, but was given '\(inline!)'")
        }
        flags.insert(option.name)
        continue
      }
      if inline == nil, option.valueIsOptional, rest.first?.hasPrefix("-") ?? true {
        flags.insert(option.name)
        continue
      }
      inline = inline ?? rest.popFirst()
      guard let value = inline else {
        throw UsageError("option '\(spelled)' wants a value: \(spelled) \(option.value!)")
      }
      guard option.repeatable || values[option.name] == nil else {
        throw UsageError("option '\(spelled)' was given twice, expected once")
      }
      values[option.name, default: []].append(value)
    }
    guard allowed.contains(operands.count) else {
      let expected =
        allowed.upperBound == 0
        ? "none"
        : allowed.lowerBound == allowed.upperBound
          ? "\(allowed.lowerBound)" : "at least \(allowed.lowerBound)"
      throw UsageError(
        "'\(verb)' was given \(operands.count) operand\(operands.count == 1 ? "" : "s")"
          + (operands.isEmpty ? "" : " (\(operands.joined(separator: ", ")))")
          + ", expected \(expected); see 'realm-bench \(verb) --help'")
    }
  }

  func has(_ name: String) -> Bool { flags.contains(name) || values[name] != nil }

  func string(_ name: String) -> String? { values[name]?.first }

  func strings(_ name: String) -> [String] { values[name] ?? [] }

  /// A whole number within limits, decimal or 0x…
  func integer(_ name: String, within limits: ClosedRange<Int>) throws -> Int? {
    guard let text = string(name) else { return nil }
    guard let number = Arguments.number(text), limits.contains(number) else {
      throw UsageError(
        "--\(name) '\(text)': expected a whole number from \(limits.lowerBound) to "
          + "\(limits.upperBound)")
    }
    return number
  }

  /// A seed: any 64-bit number, decimal or 0x…
  func seed(_ name: String = "seed") throws -> UInt64? {
    guard let text = string(name) else { return nil }
    let parsed =
      text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
    guard let number = parsed else {
      throw UsageError("--\(name) '\(text)': expected a number from 0 to 2^64-1, decimal or 0x…")
    }
    return number
  }

  /// Seconds, from `90`, `90s`, `5m`, `1h` or `250ms`.
  func seconds(_ name: String) throws -> Double? {
    guard let text = string(name) else { return nil }
    let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)]
    let unit = units.first { text.hasSuffix($0.0) }
    let digits = unit.map { String(text.dropLast($0.0.count)) } ?? text
    // Whoever asks for more than a year has mistyped it, and some clocks would not hold it. Of less
    // than a millisecond some would make nothing at all.
    guard let number = Double(digits).map({ $0 * (unit?.1 ?? 1) }),
      (0.001...31_622_400).contains(number)
    else {
      throw UsageError(
        "--\(name) '\(text)': expected a time such as 90s, 5m or 250ms, from 1ms to a year")
    }
    return number
  }

  /// A share, from `5%` or `0.05`. Beyond the whole only with its sign: who writes 5 means 5 %, and
  /// would have five times as much.
  func share(_ name: String, within limits: ClosedRange<Double>) throws -> Double? {
    guard let text = string(name) else { return nil }
    let digits = text.hasSuffix("%") ? String(text.dropLast()) : text
    let number = Double(digits).map { text.hasSuffix("%") ? $0 / 100 : $0 }
    if let number, number > 1, number.isFinite, !text.hasSuffix("%") {
      let meant = String(format: "%g%% or %g", number, number / 100)
      let whole =
        limits.contains(number) ? String(format: ", or %g%% if so much is meant", number * 100) : ""
      throw UsageError(
        "--\(name) '\(text)' is more than the whole and has no sign: expected \(meant)\(whole)")
    }
    guard let number, limits.contains(number) else {
      func spelled(_ share: Double) -> String { String(format: "%g%%", share * 100) }
      throw UsageError(
        "--\(name) '\(text)': expected a share from \(spelled(limits.lowerBound)) to "
          + "\(spelled(limits.upperBound)), such as 5% or 0.05")
    }
    return number
  }

  /// A list such as `1,2,4`.
  func integers(_ name: String, within limits: ClosedRange<Int>) throws -> [Int]? {
    guard let text = string(name) else { return nil }
    let found = try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      guard let number = Int(part), limits.contains(number) else {
        throw UsageError(
          "--\(name) '\(text)': expected numbers from \(limits.lowerBound) to "
            + "\(limits.upperBound), separated by commas")
      }
      return number
    }
    // Each would be measured as often as it is there, under one name.
    guard Set(found).count == found.count else {
      throw UsageError("--\(name) '\(text)': expected numbers that differ")
    }
    return found
  }

  /// One of a few words.
  func choice(_ name: String, among known: [String]) throws -> String? {
    guard let text = string(name) else { return nil }
    guard known.contains(text) else {
      throw UsageError(
        "--\(name) '\(text)': expected \(known.joined(separator: ", "))"
          + suggestion(for: text, among: known))
    }
    return text
  }

  /// `I/N`, from the option or from what array jobs put into the environment.
  func shard(environment: [String: String]) throws -> (index: Int, count: Int)? {
    if let text = string("shard") {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
      guard parts.count == 2, let index = parts[0], let count = parts[1], count >= 1,
        (1...count).contains(index)
      else { throw UsageError("--shard '\(text)': expected I/N with 1 ≤ I ≤ N, such as 2/4") }
      return (index, count)
    }
    // Kubernetes and Slurm count from what they were told to.
    for (indexName, countName) in [
      ("JOB_COMPLETION_INDEX", "JOB_COMPLETIONS"),
      ("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT"),
    ] {
      guard let indexText = environment[indexName] else { continue }
      // Kubernetes gives the index alone: every machine would measure everything.
      guard let countText = environment[countName] else {
        throw UsageError(
          "\(indexName)=\(indexText) in the environment without \(countName): expected both, or "
            + "--shard I/N (--shard 1/1 for everything)")
      }
      let first = environment["SLURM_ARRAY_TASK_MIN"].flatMap(Int.init) ?? 0
      guard let count = Int(countText), let index = Int(indexText), count >= 1,
        (0..<count).contains(index - first)
      else {
        throw UsageError(
          "\(indexName)=\(indexText), \(countName)=\(countText): expected an index below the count")
      }
      return (index - first + 1, count)
    }
    return nil
  }

  private static func number(_ text: String) -> Int? {
    text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
  }
}
