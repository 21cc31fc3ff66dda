import Foundation

/// What `run.json` looks like, as a JSON Schema for those who read it with other means than this
/// tool.
///
/// Fields that readers do not know are allowed everywhere: later minor versions add some. Words
/// that a field may hold are those of the types here, so that the schema cannot fall behind them.
package enum RunSchema {
  /// A shape in the words of JSON Schema; values are text, numbers, flags, lists and dictionaries
  /// of these.
  private typealias Shape = [String: any Sendable]

  package static var text: String {
    var whole = run
    whole["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    whole["$id"] = "run.schema.json"
    whole["title"] = "run.json of realm-bench"
    whole["$defs"] = definitions
    let data = try? JSONSerialization.data(
      withJSONObject: whole, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    return data.map { String(decoding: $0, as: UTF8.self) + "\n" } ?? "{}\n"
  }

  // MARK: Words

  private static let string: Shape = ["type": "string"]
  private static let number: Shape = ["type": "number"]
  private static let count: Shape = ["type": "integer", "minimum": 0]
  private static let flag: Shape = ["type": "boolean"]

  private static func words(_ known: [String]) -> Shape { ["type": "string", "enum": known] }
  private static func list(_ items: Shape) -> Shape { ["type": "array", "items": items] }
  private static func the(_ name: String) -> Shape { ["$ref": "#/$defs/\(name)"] }

  private static func object(
    _ about: String, _ required: [String: Shape], maybe optional: [String: Shape] = [:]
  ) -> Shape {
    [
      "description": about, "type": "object", "required": required.keys.sorted(),
      "properties": required.merging(optional) { $1 },
    ]
  }

  // MARK: Shapes

  private static var run: Shape {
    object(
      "What was asked, on what, and what came out.",
      [
        "schema": ["const": Run.schema], "tool": ["const": "realm-bench"], "version": string,
        "id": string, "started": string, "finished": string,
        "state": words(["running", "finished", "interrupted"]), "asked": the("asked"),
        "environment": the("environment"), "results": list(the("finding")),
      ],
      maybe: [
        "comparison": the("comparison"), "examination": the("examination"),
        "otherExaminations": list(the("examination")), "catalogue": list(the("entry")),
        "control": the("runControl"), "left_out": list(the("leftOut")),
        "missing_shards": list(string), "crossings": list(string),
        "otherComparisons": list(the("comparison")),
      ])
  }

  private static var definitions: [String: Shape] {
    [
      "asked": asked, "environment": environment, "storage": storage, "engine": engine,
      "finding": finding, "value": value, "comparison": comparison, "side": side, "row": row,
      "control": control, "examination": examination, "verdict": verdict, "kills": kills,
      "exploration": exploration, "entry": entry, "runControl": runControl, "leftOut": leftOut,
    ]
  }

  private static var asked: Shape {
    object(
      "What somebody asked for.",
      [
        "verb": string, "filters": list(string), "engines": list(string), "threads": list(count),
        "quick": flag, "rounds": count, "seed": count, "shard": string, "command": string,
      ],
      maybe: [
        "budget": number, "roundSeconds": number, "linkBase": string,
        "settings": ["type": "object", "additionalProperties": list(string)],
      ])
  }

  private static var environment: Shape {
    object(
      "What it was measured on and with.",
      [
        "machineID": string, "cpu": string, "cores": count, "usableCores": number,
        "memoryBytes": number, "kernel": string, "system": string, "architecture": string,
        "virtualized": string, "governor": string, "clockSource": string, "clockCost": number,
        "clockResolution": number, "storage": the("storage"), "toolchain": string,
        "build": string, "commit": string, "subject": string, "dirty": flag,
        "engines": list(the("engine")), "allocator": string, "perfEvents": flag,
        "countsAllocations": flag, "gaps": count, "longestGap": number, "load": number,
        "steal": number, "pressure": number, "warnings": list(string),
      ], maybe: ["loadAtEnd": number, "caches": string, "randomized": flag])
  }

  private static var storage: Shape {
    object(
      "The disk, and whether its flushes can be believed.",
      [
        "path": string, "filesystem": string, "device": string,
        "durability": words(["none", "volatile", "plausible"]), "flushMedian": number,
        "flushP95": number, "freeBytes": number,
      ])
  }

  private static var engine: Shape {
    object(
      "An engine and how it was set up.", ["name": string, "version": string, "setting": string])
  }

  private static var finding: Shape {
    object(
      "One benchmark on one engine: all its rounds.",
      [
        "benchmark": string, "engine": string, "side": string, "valid": flag, "reason": string,
        "flags": list(string), "rounds": count, "seed": count, "values": list(the("value")),
      ], maybe: ["histogram": string, "machine": string])
  }

  private static var value: Shape {
    object(
      "One metric: its middle, its interval over rounds, and each round.",
      [
        "metric": string, "value": number, "low": number, "high": number, "confidence": number,
        "rounds": list(number), "samples": count,
      ], maybe: ["outliers": count])
  }

  private static var comparison: Shape {
    object(
      "Two builds or runs judged against each other.",
      [
        "a": the("side"), "b": the("side"), "interleaved": flag, "trusted": flag,
        "reasons": list(string), "q": number, "rows": list(the("row")), "voidRounds": count,
      ],
      maybe: [
        "control": the("control"), "blind": number, "resolution": number, "agreed": list(string),
        "gone": list(string), "unjudged": list(string), "leftOut": list(string),
      ])
  }

  private static var side: Shape {
    object(
      "A build or a run.", ["name": string, "commit": string, "subject": string, "source": string])
  }

  private static var row: Shape {
    object(
      "One benchmark, engine and metric: positive changes are for the worse.",
      [
        "benchmark": string, "engine": string, "metric": string,
        "verdict": words(Comparison.Verdict.allCases.map(\.rawValue)), "a": number, "b": number,
        "change": number, "low": number, "high": number, "tau": number, "noiseFloor": number,
        "rounds": count, "note": string, "pairsA": list(number), "pairsB": list(number),
      ],
      maybe: [
        "ratios": list(number), "p": number, "moreRounds": count, "sees": number,
        "acknowledged": string,
        "broken": words(Comparison.BrokenSide.allCases.map(\.rawValue)),
      ])
  }

  private static var control: Shape {
    object(
      "A build against itself.",
      ["benchmarks": count, "suspects": count, "confirmed": count, "noiseFloor": number])
  }

  private static var runControl: Shape {
    let row = object(
      "One measurement at both ends of the run.",
      [
        "benchmark": string, "engine": string, "metric": string, "first": list(number),
        "last": list(number),
      ])
    return object("What the run measured twice, far apart.", ["rows": list(row)])
  }

  private static var leftOut: Shape {
    object(
      "What was asked for and did not fit into the budget.",
      ["benchmark": string, "engine": string, "reason": string])
  }

  private static var examination: Shape {
    object(
      "All that one pass over the rules found out.",
      [
        "engine": string, "engineVersion": string, "seed": count, "verdicts": list(the("verdict")),
      ],
      maybe: [
        "mutant": string, "kills": the("kills"), "isPartial": flag,
        "coverage": object(
          "How much of Realm's documents the rules account for.",
          ["sentences": count, "binding": count, "probed": count], maybe: ["rules": count]),
        "explorations": list(the("exploration")), "moments": list(string),
      ])
  }

  private static var verdict: Shape {
    object(
      "What was found out about one rule.",
      [
        "id": string, "tier": words(["documented", "implementation"]),
        "level": words(["required", "stochastic", "informative"]), "wording": string,
        "state": words(Verdict.State.allCases.map(\.rawValue)), "milliseconds": number,
        "probes": count, "assertions": count, "seed": count,
      ],
      maybe: [
        "source": string, "reason": string, "expected": string, "observed": string,
        "known": string, "repro": string, "skip": words(Verdict.Skip.allCases.map(\.rawValue)),
        "decidedBy": words(Verdict.Decider.allCases.map(\.rawValue)), "marks": list(string),
        "issue": object(
          "Where what is known is told, and until when.", ["url": string, "expires": string]),
      ])
  }

  private static var kills: Shape {
    let row = object(
      "A broken engine and the rules that it was put before.",
      ["mutant": string, "story": string, "caughtBy": list(string), "missedBy": list(string)],
      maybe: ["alsoCaughtBy": list(string), "skippedBy": list(string)])
    return object(
      "Which broken engine was caught by which rule.",
      ["rows": list(row), "rulesWithoutMutant": list(string)],
      maybe: ["rulesThatCannotFall": ["type": "object", "additionalProperties": string]])
  }

  private static var exploration: Shape {
    object(
      "What was looked at beyond the rules.",
      [
        "kind": words(Exploration.Kind.allCases.map(\.rawValue)), "name": string,
        "rules": list(string), "seed": count, "count": count, "detail": string,
        "milliseconds": number,
      ],
      maybe: [
        "failure": object(
          "What was wrong.", ["sentence": string, "story": list(string), "repro": string],
          maybe: ["known": string, "anomaly": words(AnomalyKind.allCases.map(\.rawValue))])
      ])
  }

  private static var entry: Shape {
    object(
      "What the name of a benchmark or a rule stands for, and where it is declared.",
      ["name": string, "sentence": string, "source": string])
  }
}
