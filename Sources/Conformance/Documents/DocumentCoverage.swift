import Evidence

/// What each sentence of one page of Realm's documentation binds an engine to, or why it binds it
/// to nothing.
///
/// The pages are not kept: a sentence is its ordinal on the page and a hash of its words. Whoever
/// has the pages compares them with `differences(from:)`.
public struct DocumentCoverage: Sendable {
  /// Why a sentence has no rule.
  public enum Aside: String, Sendable, CaseIterable {
    /// Says why one should want something.
    case motive
    /// Tells of Swift, Git or machines, not of Realm.
    case background
    /// Tells an app's author what to do; an engine has no part in it.
    case advice
    /// Names another page.
    case pointer
    /// Leads to the sentences below it, which say it.
    case lead
    /// Tells what an example is about; the example itself has its rules.
    case example
    /// About a version of Realm, or overruled by a newer page.
    case history
    /// About how the engine is made inside; what follows for users stands in other sentences.
    case inside
    /// About Objective-C or Sync.
    case elsewhere
    /// Part of the web page, not of its text.
    case furniture
  }

  public enum Standing: Sendable, Equatable {
    case binds([String])
    case aside(Aside)
  }

  public struct Entry: Sendable {
    public let section: String
    public let ordinal: Int
    public let hash: String
    public let standing: Standing
  }

  /// S0 to S4, as rules cite it.
  public let name: String
  public let title: String
  public let entries: [Entry]

  public static let all = [s0, s1, s2, s3, s4]

  /// Reads lines `## section` and `ordinal hash RULE…` or `ordinal hash -aside`.
  init(_ name: String, title: String, _ table: String) {
    self.name = name
    self.title = title
    var section = ""
    entries = table.split(separator: "\n").map(String.init).compactMap { line in
      if line.hasPrefix("## ") {
        section = String(line.dropFirst(3))
        return nil
      }
      let words = line.split(separator: " ").map(String.init)
      guard words.count > 2, let ordinal = Int(words[0]) else { return nil }
      let aside = words[2].hasPrefix("-") ? Aside(rawValue: String(words[2].dropFirst())) : nil
      return Entry(
        section: section, ordinal: ordinal, hash: words[1],
        standing: aside.map(Standing.aside) ?? .binds(Array(words[2...])))
    }
  }

  /// Sentences that bind an engine to something.
  public var binding: Int {
    entries.count { if case .binds = $0.standing { true } else { false } }
  }

  public func count(_ aside: Aside) -> Int {
    entries.count { $0.standing == .aside(aside) }
  }
}

extension DocumentCoverage {
  /// A sentence that the page has and the table lacks, or the other way round.
  public enum Difference: Sendable, Equatable {
    /// Said by the page, and no rule or reason is known for it.
    case unaccounted(DocumentPage.Sentence)
    /// Once said by the page at this ordinal, and what it bound.
    case gone(ordinal: Int, rules: [String])
  }

  /// Compares by hash: a sentence that only moved is the same sentence.
  public func differences(from page: DocumentPage) -> [Difference] {
    let known = Set(entries.map(\.hash))
    let said = Set(page.sentences.map(\.hash))
    let unaccounted = page.sentences.filter { !known.contains($0.hash) }
    let gone = entries.filter { !said.contains($0.hash) }
    return unaccounted.map(Difference.unaccounted)
      + gone.map { entry in
        if case .binds(let rules) = entry.standing {
          .gone(ordinal: entry.ordinal, rules: rules)
        } else {
          .gone(ordinal: entry.ordinal, rules: [])
        }
      }
  }

  /// Where a rule is said, page by page.
  public static func places(of rule: String) -> [(page: DocumentCoverage, entries: [Entry])] {
    all.compactMap { page in
      let own = page.entries.filter { entry in
        if case .binds(let rules) = entry.standing { rules.contains(rule) } else { false }
      }
      return own.isEmpty ? nil : (page, own)
    }
  }

  /// Each sentence by page, section, ordinal and the first half of its hash:
  /// `S0 “Three Rules to Follow” 13 (5f6c8e21), 15 (0c1d2e3f); S3 “…`.
  public static func citation(of rule: String) -> String {
    places(of: rule).flatMap { page, entries in
      var sections: [(name: String, sentences: [String])] = []
      for entry in entries {
        if sections.last?.name != entry.section { sections.append((entry.section, [])) }
        sections[sections.count - 1].sentences.append(
          "\(entry.ordinal) (\(entry.hash.prefix(8)))")
      }
      return sections.map { "\(page.name) “\($0.name)” \($0.sentences.joined(separator: ", "))" }
    }.joined(separator: "; ")
  }

  /// All pages together.
  public static var total: Examination.Coverage {
    let probed = Set(Catalogue.all.filter { $0.untested == nil }.map(\.id))
    var coverage = Examination.Coverage(sentences: 0, binding: 0, probed: 0)
    for entry in all.flatMap(\.entries) {
      coverage.sentences += 1
      guard case .binds(let rules) = entry.standing else { continue }
      coverage.binding += 1
      if rules.contains(where: probed.contains) { coverage.probed += 1 }
    }
    return coverage
  }
}
