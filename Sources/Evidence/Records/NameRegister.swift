/// The names of rules and benchmarks that were ever published, a line each: what keeps a name from
/// being given to something else, and from vanishing without a word.
///
/// `rule READ-01 3f2a91c4`: a name in use, with the beginning of the hash of its wording, so that a
/// rule that moved under another number is seen. `rule ABC-07 retired 2026-11-24 why`: one that is
/// no more. Lines are added and changed, never taken out.
package struct NameRegister {
  package struct Entry: Hashable, Sendable {
    package let kind: String
    package let name: String
    /// The beginning of the hash of what it says; empty of a retired one.
    package var hash: String
    /// When it was retired, and why; nil while it is in use.
    package var retired: Retirement?
  }

  package struct Retirement: Hashable, Sendable {
    package let date: String
    package let reason: String
  }

  package private(set) var entries: [Entry] = []
  /// What cannot be understood or stands there twice.
  package private(set) var faults: [String] = []

  package init(_ text: String) {
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ", maxSplits: 4).map(String.init)
      guard let entry = NameRegister.entry(words) else {
        faults.append("'\(line)': expected 'KIND NAME HASH' or 'KIND NAME retired DATE REASON'")
        continue
      }
      if self[entry.kind, entry.name] != nil { faults.append("\(entry.name) stands there twice") }
      entries.append(entry)
    }
  }

  private static func entry(_ words: [String]) -> Entry? {
    guard words.count >= 3 else { return nil }
    if words[2] == "retired" {
      guard words.count == 5, words[3].wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil,
        words[4].count >= 10
      else { return nil }
      return Entry(
        kind: words[0], name: words[1], hash: "",
        retired: Retirement(date: words[3], reason: words[4]))
    }
    guard words.count == 3, words[2].count == 8 else { return nil }
    return Entry(kind: words[0], name: words[1], hash: words[2])
  }

  package subscript(kind: String, name: String) -> Entry? {
    entries.first { $0.kind == kind && $0.name == name }
  }

  package static func hash(_ wording: String) -> String {
    let words = wording.split { " \n".contains($0) }.joined(separator: " ")
    let digits = "0123456789abcdef".map { $0 }
    return SHA256.digest(Array(words.utf8)).prefix(4).map { byte in
      "\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }.joined()
  }

  /// What speaks against the names of a kind that are in use, by what they say: reused, renumbered,
  /// vanished, or never registered.
  package func objections(to living: [String: String], of kind: String) -> [String] {
    let own = entries.filter { $0.kind == kind }
    var found = faults
    for (name, wording) in living.sorted(by: { $0.key < $1.key }) {
      let hash = NameRegister.hash(wording)
      if let retired = self[kind, name]?.retired {
        found.append(
          "\(name) was retired on \(retired.date) (\(retired.reason)): a name is never given again")
      } else if let other = own.first(where: { $0.hash == hash && $0.name != name }),
        living[other.name].map(NameRegister.hash) != hash
      {
        found.append("\(name) says what \(other.name) said: a name keeps its meaning")
      } else if self[kind, name] == nil {
        found.append("\(name) is not registered")
      }
    }
    for entry in own where entry.retired == nil && living[entry.name] == nil {
      found.append("\(entry.name) has vanished: retire it, with the day and the reason")
    }
    return found
  }

  /// The register with what is new and what is worded anew; nothing else is changed, so that what
  /// was reused, renumbered or has vanished still is after it.
  package mutating func learn(_ names: [(name: String, wording: String)], of kind: String) {
    for (name, wording) in names {
      let hash = NameRegister.hash(wording)
      let isTaken = entries.contains { $0.kind == kind && $0.hash == hash && $0.name != name }
      if let place = entries.firstIndex(where: { $0.kind == kind && $0.name == name }) {
        if entries[place].retired == nil, !isTaken { entries[place].hash = hash }
      } else if !isTaken {
        let behind = entries.lastIndex { $0.kind == kind }.map { $0 + 1 } ?? entries.count
        entries.insert(Entry(kind: kind, name: name, hash: hash), at: behind)
      }
    }
  }

  package var text: String {
    let head = """
      # Names of rules and benchmarks that were ever published; a name is never given again.
      # In use: KIND NAME HASH, the hash of its wording. No more: KIND NAME retired DATE REASON.
      # New names are added by UPDATE_GOLDENS=1 swift test; no line is ever taken out.

      """
    return head
      + entries.map { entry in
        let rest = entry.retired.map { "retired \($0.date) \($0.reason)" } ?? entry.hash
        return "\(entry.kind) \(entry.name) \(rest)\n"
      }.joined()
  }
}
