import EngineUnderTest
import Foundation

/// What patterns stand for: characters, however many bytes they have.
private enum Pattern {
  static let letters = ["a", "é", "語", "😀"]

  /// Every text that can be put together from at most `length` of these parts.
  static func texts(of parts: [String], upTo length: Int) -> [String] {
    var all = [""]
    var last = all
    for _ in 0..<length {
      last = last.flatMap { text in parts.map { text + $0 } }
      all += last
    }
    return all
  }

  /// Whether a text is as a pattern says: `?` is any character, `*` any number of any.
  static func matches(
    _ text: Substring.UnicodeScalarView, _ pattern: Substring.UnicodeScalarView
  ) -> Bool {
    guard let next = pattern.first else { return text.isEmpty }
    if next == "*" {
      return matches(text, pattern.dropFirst())
        || !text.isEmpty && matches(text.dropFirst(), pattern)
    }
    guard let letter = text.first, next == "?" || next == letter else { return false }
    return matches(text.dropFirst(), pattern.dropFirst())
  }
}

extension Probe {
  /// Whoever tries each place for each star, one within the other, is not through in an age.
  static let patternsOfManyStars = Probe("a pattern of many stars comes to an end") { stage in
    let realm = try Realm(configuration: stage.specimens())
    let lengths = [0, 5, 6, 60, 400]
    try realm.write {
      for (id, length) in lengths.enumerated() {
        let specimen = Specimen(id: id)
        specimen.word = String(repeating: "a", count: length)
        specimen.text = String(repeating: "ab", count: length / 2)
        realm.add(specimen)
      }
    }
    let all = realm.objects(Specimen.self).sorted(byKeyPath: "id")
    for stars in [2, 6, 20] {
      let pattern = String(repeating: "*a", count: stars)
      for (end, letters) in [("*", "a"), ("*b", "ab"), ("*c", "abc")] {
        for property in ["word", "text"] {
          let found = all.filter("\(property) LIKE %@", pattern + end).map(\.id)
          let expected = lengths.indices.filter { id in
            let text = property == "word" ? "a" : "ab"
            let times = property == "word" ? lengths[id] : lengths[id] / 2
            let lacks = letters.contains { !text.contains($0) }
            return !lacks && times >= stars
          }
          stage.equal(Array(found), expected, "what \(property) LIKE \(pattern)\(end) finds")
        }
      }
    }
  }

  static let patternsOfCharacters = Probe(
    "in patterns ? is one character and * any number, also of characters beyond ASCII"
  ) { stage in
    let realm = try Realm(configuration: stage.specimens())
    let texts = Pattern.texts(of: Pattern.letters, upTo: 3)
    try realm.write {
      for (id, text) in texts.enumerated() {
        let specimen = Specimen(id: id)
        (specimen.word, specimen.text) = (text, text)
        realm.add(specimen)
      }
    }
    let all = realm.objects(Specimen.self).sorted(byKeyPath: "id")
    for pattern in Pattern.texts(of: ["?", "*", "é", "😀"], upTo: 3) {
      let expected = texts.indices.filter {
        Pattern.matches(texts[$0][...].unicodeScalars, pattern[...].unicodeScalars)
      }
      for property in ["word", "text"] {
        let found = all.filter("\(property) LIKE %@", pattern).map(\.id)
        if !stage.equal(Array(found), expected, "what \(property) LIKE \(pattern) finds") { return }
      }
    }
  }
}
