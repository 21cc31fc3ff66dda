/// Stacks as many tools read them: functions from the outermost to the innermost with semicolons
/// between, and how often.
package struct FoldedStacks: Sendable {
  package private(set) var counts: [String: Int] = [:]

  package init() {}

  package mutating func add(_ frames: [String], times: Int = 1) {
    guard times > 0 else { return }
    // The two signs that the format lives by cannot be part of a name.
    let clean = frames.map { $0.replacing(";", with: ",").replacing("\n", with: " ") }
    counts[clean.joined(separator: ";"), default: 0] += times
  }

  package var total: Int { counts.values.reduce(0, +) }

  /// One line for each stack, in the order of their words.
  package var text: String {
    counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
  }

  /// Reads such lines; a line without a count is left out.
  package init(_ text: String) {
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      guard let space = line.lastIndex(of: " "), let count = Int(line[line.index(after: space)...]),
        count > 0
      else { continue }
      counts[String(line[..<space]), default: 0] += count
    }
  }

  /// What `perf script` prints: a line that names the thread, a line for each frame from the
  /// innermost, an empty line.
  package init(perfScript text: String) {
    var frames: [String] = []
    func function(_ line: Substring) -> String {
      // `    7f12 name of the function+0x12 (/usr/lib/libc.so.6)`
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2 else { return "[unknown]" }
      var name = String(words[1])
      if let file = name.range(of: " (", options: .backwards), name.hasSuffix(")") {
        let library = name[file.upperBound...].dropLast().split(separator: "/").last ?? ""
        name = String(name[..<file.lowerBound])
        // Neither the function nor the file: an end of a chain that led nowhere.
        if name == "[unknown]" { name = library.hasPrefix("[") ? "" : "[\(library)]" }
      }
      if let plus = name.range(of: "+0x", options: .backwards) {
        name = String(name[..<plus.lowerBound])
      }
      return name
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty {
        if !frames.isEmpty { add(frames.reversed()) }
        frames = []
      } else if line.hasPrefix(" ") || line.hasPrefix("\t") {
        let name = function(line.drop { $0 == " " || $0 == "\t" })
        if !name.isEmpty { frames.append(name) }
      }
    }
    if !frames.isEmpty { add(frames.reversed()) }
  }

  /// The functions in which the processor was found most often, themselves and not what they
  /// called.
  package func hottest(_ count: Int) -> [(name: String, samples: Int)] {
    var own: [String: Int] = [:]
    for (stack, samples) in counts {
      own[stack.split(separator: ";").last.map(String.init) ?? stack, default: 0] += samples
    }
    return own.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(count)
      .map { ($0.key, $0.value) }
  }

  /// The same with other names, such as ones that people can read.
  package func renamed(_ rename: (String) -> String) -> FoldedStacks {
    var known: [Substring: String] = [:]
    var result = FoldedStacks()
    for (stack, samples) in counts {
      let frames = stack.split(separator: ";").map { frame -> String in
        if let name = known[frame] { return name }
        let name = rename(String(frame))
        known[frame] = name
        return name
      }
      result.add(frames, times: samples)
    }
    return result
  }
}
