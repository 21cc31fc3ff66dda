import EngineUnderTest
import Foundation

extension Probe {
  /// Texts of two letters, in which much begins that is something else after some letters: who
  /// looks for one has to go back.
  static let textsWithin = Probe("a text is found in others, wherever it begins") { stage in
    let realm = try Realm(configuration: stage.specimens())
    var texts = [""]
    for length in 1...7 {
      texts += (0..<1 << length).map { bits in
        String((0..<length).map { bits >> $0 & 1 == 0 ? "a" : "b" })
      }
    }
    // And long ones, which may be looked for in another way.
    let long = String(repeating: "a", count: 40)
    texts += [
      long, long + "b", "b" + long, long + "b" + long, "ab" + long, long + "ab",
      String(repeating: "ab", count: 20), String(repeating: "ab", count: 20) + "b",
      String(repeating: "aab", count: 15), String(repeating: "aab", count: 15) + "aaab",
    ]
    try realm.write {
      for (id, text) in texts.enumerated() {
        let specimen = Specimen(id: id)
        (specimen.text, specimen.word, specimen.tag) = (text, text.uppercased(), text)
        realm.add(specimen)
      }
    }
    let all = realm.objects(Specimen.self)
    let needles =
      texts.filter { 1...4 ~= $0.count }
      + ["aaaab", "abaab", "aabaab", "abababb", String(repeating: "a", count: 20) + "b"]
      + [String(repeating: "aab", count: 3) + "aaab", String(repeating: "ab", count: 9) + "b"]
    for needle in needles {
      func matches(_ isMatch: (String) -> Bool) -> [Int] {
        texts.indices.filter { isMatch(texts[$0]) }
      }
      let within = matches { $0.contains(needle) }
      for (format, argument, expected) in [
        ("text CONTAINS %@", needle, within), ("tag CONTAINS %@", needle, within),
        ("word CONTAINS[c] %@", needle, within), ("text LIKE %@", "*\(needle)*", within),
        ("word LIKE[c] %@", "*\(needle)*", within),
        ("text BEGINSWITH %@", needle, matches { $0.hasPrefix(needle) }),
        ("tag BEGINSWITH %@", needle, matches { $0.hasPrefix(needle) }),
        ("text ENDSWITH %@", needle, matches { $0.hasSuffix(needle) }),
        ("word ENDSWITH[c] %@", needle, matches { $0.hasSuffix(needle) }),
        ("text LIKE %@", "\(needle)*", matches { $0.hasPrefix(needle) }),
        ("text LIKE %@", "*\(needle)", matches { $0.hasSuffix(needle) }),
      ] {
        stage.equal(
          all.filter(format, argument).map(\.id), expected, "what \(format) finds for \(argument)")
      }
      stage.equal(
        all.where { $0.text.contains(needle) }.map(\.id), within,
        "what contains \(needle), asked in Swift")
    }
  }
}
