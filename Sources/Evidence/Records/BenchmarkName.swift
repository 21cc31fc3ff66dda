/// The full name of a measurement: a family and its parameters in alphabetical order.
///
/// `reads.by-primary-key/rows=1000000/threads=2`. Histories match by it, so its spelling is
/// canonical.
package struct BenchmarkName: Hashable, Sendable, CustomStringConvertible {
  package let family: String
  package let parameters: [String: String]

  package init(_ family: String, _ parameters: [String: String] = [:]) {
    self.family = family
    self.parameters = parameters
  }

  /// Reads a full name back; a part without `=` belongs to the family, as no parameter is nameless.
  package init(parsing full: String) {
    var parts = full.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    var parameters: [String: String] = [:]
    while parts.count > 1, let part = parts.last, let equals = part.firstIndex(of: "=") {
      parameters[String(part[..<equals])] = String(part[part.index(after: equals)...])
      parts.removeLast()
    }
    self.init(parts.joined(separator: "/"), parameters)
  }

  /// A parameter's number; 0 of what has none.
  package func number(_ parameter: String) -> Double {
    parameters[parameter].flatMap(Double.init) ?? 0
  }

  package var description: String {
    ([family] + parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
      .joined(separator: "/")
  }

  /// The parameters alone, as shown where the family is said already.
  package var suffix: String {
    parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }

  /// The family's first word: the chapter it stands in.
  package var chapter: String { String(family.prefix { $0 != "." }) }
}
