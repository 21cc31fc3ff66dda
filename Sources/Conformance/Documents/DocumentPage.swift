import Evidence

/// A page of Realm's documentation, taken apart into sentences.
///
/// The pages belong to their authors and are not kept here: of each sentence only its place and a
/// hash are. Whoever has the pages can make sure that every sentence is still the one a rule was
/// written for (`realm-bench coverage`).
///
/// 1. Wrapping, emphasis, links and quotation marks do not change a hash; words do.
/// 2. A block of code is one sentence: its comments and assertions promise things too.
public struct DocumentPage: Sendable {
  public struct Sentence: Sendable, Hashable {
    /// The heading above it.
    public let section: String
    /// Its place on the page, counted from 1.
    public let ordinal: Int
    /// Its words without markup.
    public let words: String
    /// The first 64 bits of the SHA-256 of its words, as 16 digits.
    public let hash: String
  }

  /// The page's first heading.
  public let title: String
  public let sentences: [Sentence]

  public init(_ text: String) {
    var title: String?
    var section = ""
    var sentences: [Sentence] = []
    func add(_ words: String) {
      guard words.contains(where: \.isLetter) else { return }
      sentences.append(
        Sentence(
          section: section, ordinal: sentences.count + 1, words: words,
          hash: DocumentPage.hash(of: words)))
    }
    for block in PageBlock.blocks(of: text) {
      switch block {
      case .heading(let words):
        section = DocumentPage.plain(words)
        title = title ?? section
      case .prose(let paragraph):
        for sentence in DocumentPage.split(paragraph) { add(DocumentPage.plain(sentence)) }
      case .code(let lines):
        add(lines.flatMap { $0.split(whereSeparator: \.isWhitespace) }.joined(separator: " "))
      }
    }
    self.title = title ?? ""
    self.sentences = sentences
  }

  /// Small letters, straight quotes and no full stop: an editor's taste is no change of meaning.
  static func hash(of words: String) -> String {
    var bytes = words.lowercased()
    while let last = bytes.last, ".:;,!?".contains(last) { bytes.removeLast() }
    return SHA256.digest(Array(bytes.utf8)).prefix(8).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// Cuts a paragraph behind full stops that a new sentence follows.
  static func split(_ paragraph: String) -> [String] {
    var sentences: [String] = []
    var rest = paragraph[...]
    while let cut = rest.firstMatch(of: /[.!?][)”"*]*\s+(?=[A-Z“"`@*\[:])/) {
      sentences.append(String(rest[..<cut.range.upperBound]))
      rest = rest[cut.range.upperBound...]
    }
    return sentences + [String(rest)]
  }

  /// The words alone.
  static func plain(_ sentence: String) -> String {
    var text = sentence
    // reStructuredText: :role:`words <target>`, `words <address>`__, and an escaped space.
    text.replace(/:[a-z]+:`/, with: "`")
    text.replace(/`([^`<]+?)\s*<[^>`]*>`(__?)?/, with: { $0.1 })
    text.replace("\\ ", with: "")
    // Markdown: [words](address), whose address may hold one pair of parentheses.
    text.replace(/\[([^\]]*)\]\((?:[^()]|\([^()]*\))*\)/, with: { $0.1 })
    text.replace(/[`*]/, with: "")
    text.replace(/[“”]/, with: "\"")
    text.replace(/[‘’]/, with: "'")
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
