import Evidence
import Foundation
import Harness

/// What a child is asked to explore.
///
/// The door hands the words of its hidden verb `explore` over, puts stand-ins in place as the
/// inquiry's kind demands, and calls `run` on the main thread.
public struct ExploreRequest: Sendable, Equatable {
  public var inquiry: String
  public var directory: String
  public var effort = Inquiry.Effort()
  /// The broken engine that shall be put in place before `run`.
  public var mutant: String?
  /// The part that another process plays; nil for the inquiry itself.
  var role: String?
  /// What a companion was told.
  var words: [String] = []

  /// A replay that says nothing.
  struct Misunderstood: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  private static let mark = "\u{1}explored\t"

  public init(
    _ inquiry: String, directory: String, effort: Inquiry.Effort, mutant: String? = nil
  ) {
    (self.inquiry, self.directory) = (inquiry, directory)
    (self.effort, self.mutant) = (effort, mutant)
  }

  /// Reads what stands behind the verb `explore`; nil if it makes no sense.
  public init?(arguments: [String]) {
    guard let name = arguments.first else { return nil }
    inquiry = name
    directory = ""
    var rest = arguments.dropFirst()
    while let word = rest.popFirst() {
      guard let value = rest.popFirst() else { return nil }
      switch word {
      case "--directory": directory = value
      case "--seed": effort.seed = UInt64(value) ?? 1
      case "--amount": effort.amount = Int(value) ?? 0
      case "--bound": effort.bound = Int(value) ?? 0
      case "--limit": effort.limit = .milliseconds(Int(value) ?? 0)
      case "--replay": effort.replay = value
      case "--mutant": mutant = value
      case "--role": role = value
      case "--word": words.append(value)
      default: return nil
      }
    }
    if directory.isEmpty { return nil }
  }

  /// The words that `init(arguments:)` reads back.
  public var arguments: [String] {
    var words = [
      inquiry, "--directory", directory, "--seed", "\(effort.seed)", "--amount", "\(effort.amount)",
      "--bound", "\(effort.bound)", "--limit", "\(Int(effort.limit.inSeconds * 1000))",
    ]
    if let replay = effort.replay { words += ["--replay", replay] }
    if let mutant { words += ["--mutant", mutant] }
    if let role { words += ["--role", role] }
    for word in self.words { words += ["--word", word] }
    return words
  }

  var boxPath: String { directory + "/black-box" }

  /// Does it, and says on stdout what was found; returns the exit code.
  public func run() -> Int32 {
    guard let asked = Inquiry.named(inquiry) else { return 1 }
    alarm(UInt32(effort.limit.inSeconds) + 120)
    let start = ContinuousClock.now
    // What a broken engine opens without having been asked to, it opens there.
    chdir(directory)
    do {
      let isMain = role == nil
      let task = Inquiry.Task(
        effort: effort, directory: URL(fileURLWithPath: directory),
        box: isMain ? try BlackBox(boxPath) : nil, deadline: start + effort.limit, words: words,
        mutant: mutant, inquiry: inquiry)
      if let role {
        try asked.companions[role]?(task)
        return 0
      }
      var result = try asked.run(task)
      result.milliseconds = start.duration(to: .now).inSeconds * 1000
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let line = ExploreRequest.mark + String(decoding: try encoder.encode(result), as: UTF8.self)
      FileHandle.standardOutput.write(Data((line + "\n").utf8))
      return 0
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      return 1
    }
  }

  /// Reads what a child said; nil if it did not come to an end.
  static func read(_ output: String) -> Exploration? {
    for line in output.split(separator: "\n").reversed() where line.hasPrefix(mark) {
      return try? JSONDecoder().decode(
        Exploration.self, from: Data(line.dropFirst(mark.count).utf8))
    }
    return nil
  }
}
