import Foundation

/// How a long command tells on stderr how far it is.
enum ProgressStyle: String, CaseIterable {
  /// A line drawn over itself on a terminal, nothing anywhere else.
  case auto
  /// Every line of stderr is a JSON object: `event` is progress, end or note.
  case ndjson
  case none

  static let option = Option.value(
    "progress", "auto|ndjson|none", "how far it is, on stderr (default auto: on a terminal)")

  /// What the options ask for, from now on.
  static func take(_ arguments: Arguments) throws {
    let asked = try arguments.choice("progress", among: allCases.map(\.rawValue))
    Terminal.progress = asked.flatMap(Self.init) ?? .auto
  }
}

/// One line of progress for other programs.
struct ProgressEvent: Encodable {
  var event: String
  var done: Int?
  var total: Int?
  /// What is counted, or which of it is being worked at.
  var what: String?
  var elapsed: Double?
  var remaining: Double?
  var text: String?

  var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var event = self
    event.elapsed = event.elapsed.map { ($0 * 10).rounded() / 10 }
    event.remaining = event.remaining.map { ($0 * 10).rounded() / 10 }
    return (try? encoder.encode(event)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}
