import Foundation

/// The checkout these tests stand in, read as text: what the compiler does not enforce is looked up
/// here.
enum House {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// Every Swift file below a folder, as paths relative to the checkout, sorted.
  static func swiftFiles(below folder: String) -> [String] {
    files(below: folder, endings: [".swift"])
  }

  /// The same of files with other endings.
  static func files(below folder: String, endings: [String]) -> [String] {
    let start = root.appendingPathComponent(folder)
    let found = FileManager.default.enumerator(atPath: start.path)
    var paths: [String] = []
    while let path = found?.nextObject() as? String {
      if endings.contains(where: path.hasSuffix) { paths.append("\(folder)/\(path)") }
    }
    return paths.sorted()
  }

  /// The modules a source text imports, whatever attributes or access levels stand before `import`.
  static func imports(of source: String) -> [String] {
    source.split(separator: "\n").compactMap { line in
      // The one attribute with a space in it.
      let line = line.replacing(#/@_private\(sourceFile: "[^"]*"\)/#, with: "")
      let words = line.split(separator: " ")
      guard let at = words.firstIndex(of: "import"), at + 1 < words.count else { return nil }
      let before = words[..<at]
      let attributes: Set<Substring> = [
        "public", "package", "internal", "private", "fileprivate", "@testable", "@_exported",
        "@preconcurrency",
      ]
      guard before.allSatisfy({ attributes.contains($0) || $0.hasPrefix("@_spi(") }) else {
        return nil
      }
      let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let"]
      var name = words[at + 1]
      if kinds.contains(name), at + 2 < words.count { name = words[at + 2] }
      return name.split(separator: ".").first.map(String.init)
    }
  }

  /// The functions of the engine that a source text replaces: the extended type, the name, and the
  /// types of the parameters, which tell overloads apart.
  static func replaced(in source: String) -> [String] {
    var type = ""
    var found: [String] = []
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      if let match = line.firstMatch(of: #/^\s*(?:\w+ )?extension (.+?) \{/#) {
        type = String(match.1)
      }
      guard let match = line.firstMatch(of: #/@_dynamicReplacement\(for:\s*(.+)\)\s*$/#) else {
        continue
      }
      let rest = lines[(number + 1)...].prefix(12).joined(separator: " ")
      let types = parameters(of: rest).map { parameter in
        let type = parameter.split(separator: ":", maxSplits: 1).last ?? ""
        return type.split(separator: "=")[0].trimmingCharacters(in: .whitespaces)
      }
      found.append(
        (["\(type).\(match.1)"] + (types.isEmpty ? [] : [types.joined(separator: ", ")]))
          .joined(separator: " "))
    }
    return found
  }

  /// The lines on which a replacement calls what it replaces where the compiler makes a function of
  /// its own out of the call.
  static func callsThatComeAgain(in source: String) -> [Int] {
    var name = ""
    var label = ""
    var found: [Int] = []
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      if line.contains("@_dynamicReplacement(for:") {
        let match = line.firstMatch(of: #/for:\s*(\w+)\((\w*)/#)
        (name, label) = (match.map { String($0.1) } ?? "", match.map { String($0.2) } ?? "")
      } else if !name.isEmpty {
        let calls = line.ranges(of: "\(name)(").filter { call in
          label == "_" || line[call.upperBound...].hasPrefix("\(label):")
        }
        if calls.contains(where: { isHidden(behind: line[..<$0.lowerBound]) }) {
          found.append(number + 1)
        }
      }
    }
    return found
  }

  /// Whether a call of something's own that stands behind this is in a function of its own.
  private static func isHidden(behind before: Substring) -> Bool {
    let own = before.hasSuffix("self.") ? before.dropLast(5) : before
    if let last = own.last, last == "." || last.isLetter { return false }
    if own.contains(#/(\|\||&&|\?\?)[^{?]*$/#) { return true }
    return own.contains(#/\.\w+(\([^)]*\))? \{[^}]*$/#)
      && !own.contains(#/\b(else|if|guard|while|switch|for)\b.*\{[^}]*$/#)
  }

  /// What stands between a declaration's first parentheses, parted by its own commas.
  private static func parameters(of declaration: String) -> [String] {
    var depth = 0
    var angles = 0
    var parts = [""]
    for character in declaration {
      switch character {
      case "{" where depth == 0: return []
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case "<": angles += 1
      case ">": angles = max(0, angles - 1)
      case "," where depth == 1 && angles == 0:
        parts.append("")
        continue
      default: break
      }
      if depth == 0, character == ")" { return parts.filter { !$0.isEmpty } }
      if depth > 1 || (depth == 1 && character != "(") { parts[parts.count - 1].append(character) }
    }
    return []
  }

  /// The text without comments and string literals, so that a name mentioned in prose is no use of
  /// it.
  static func code(of source: String) -> String {
    var result = ""
    var inBlock = false
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.contains("\"\"\"") {
        // A literal over several lines: code that is text, such as a program to be compiled by a
        // probe.
        if line.components(separatedBy: "\"\"\"").count == 2 { inBlock.toggle() }
        continue
      }
      if inBlock { continue }
      var inString = false
      var previous: Character = " "
      for character in line {
        if character == "\"" && previous != "\\" { inString.toggle() }
        if !inString && character == "/" && previous == "/" {
          result.removeLast()
          break
        }
        if !inString { result.append(character) }
        previous = character
      }
      result.append("\n")
    }
    return result
  }
}
