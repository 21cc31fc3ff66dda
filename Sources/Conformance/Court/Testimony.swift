import Evidence
import Foundation

/// What a probe says while it runs, a line each, on the stdout of its child.
///
/// Written with `write` and not `print`: what lies in a buffer is lost when the process dies, and
/// dying is what many probes are for.
enum Testimony: Equatable {
  /// The act that must end the process comes next.
  case before
  /// The act has been survived.
  case after
  /// So many assertions held since the last line.
  case held(Int)
  case violated(expected: String, observed: String)
  case skipped(Verdict.Skip, String)
  /// The act threw.
  case threw(String)
  /// What should have raced did, so many times.
  case overlapped(Int)
  /// Who answers for what is seen, where an engine is more than one: a library, and what stands
  /// before it.
  case answered(String)
  /// The named instants of the engine's work that the probe came by.
  case passed([String])
  case done

  private static let mark = "\u{1}"

  var line: String {
    let fields: [String] =
      switch self {
      case .before: ["before"]
      case .after: ["after"]
      case .held(let count): ["held", "\(count)"]
      case .violated(let expected, let observed): ["violated", expected, observed]
      case .skipped(let lack, let reason): ["skipped", lack.rawValue, reason]
      case .threw(let error): ["threw", error]
      case .overlapped(let count): ["overlapped", "\(count)"]
      case .answered(let part): ["answered", part]
      case .passed(let marks): ["passed"] + marks
      case .done: ["done"]
      }
    let clean = fields.map {
      $0.replacingOccurrences(of: "\n", with: " ").replacingOccurrences(of: "\t", with: " ")
    }
    return Testimony.mark + clean.joined(separator: "\t") + "\n"
  }

  init?(_ line: Substring) {
    guard line.hasPrefix(Testimony.mark) else { return nil }
    let fields = line.dropFirst().split(separator: "\t", omittingEmptySubsequences: false)
      .map(String.init)
    switch (fields[0], fields.count) {
    case ("passed", _): self = .passed(Array(fields.dropFirst()))
    case ("before", 1): self = .before
    case ("after", 1): self = .after
    case ("held", 2): self = .held(Int(fields[1]) ?? 0)
    case ("violated", 3): self = .violated(expected: fields[1], observed: fields[2])
    case ("skipped", 3):
      guard let lack = Verdict.Skip(rawValue: fields[1]) else { return nil }
      self = .skipped(lack, fields[2])
    case ("threw", 2): self = .threw(fields[1])
    case ("overlapped", 2): self = .overlapped(Int(fields[1]) ?? 0)
    case ("answered", 2): self = .answered(fields[1])
    case ("done", 1): self = .done
    default: return nil
    }
  }

  /// Everything said on a child's stdout. A line may begin behind unfinished output of somebody
  /// else.
  static func read(_ output: String) -> [Testimony] {
    output.split(separator: "\n").compactMap { line in
      guard let start = line.firstIndex(of: Character(mark)) else { return nil }
      return Testimony(line[start...])
    }
  }

  func post() {
    var bytes = Array(line.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { write(1, $0.baseAddress!, $0.count) }
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { return }
      bytes = bytes.dropFirst(written)
    }
  }
}
