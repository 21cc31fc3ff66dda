import EngineUnderTest
import Foundation

/// Each comparison of texts that is asked in Swift, with and without regard to capitals, of each
/// kind of property, with constants and with other properties.
enum TypedTexts {
  private typealias Asked = (Query<Vessel>) -> Query<Bool>

  /// A comparison, as plain Swift makes it.
  private static let comparisons: [(name: String, holds: @Sendable (String, String) -> Bool)] = [
    ("equals", { $0 == $1 }), ("starts", { $0.hasPrefix($1) }), ("ends", { $0.hasSuffix($1) }),
    ("contains", { $0.contains($1) }), ("like", { $0 == $1 }),
    ("like, within", { $0.contains($1) }),
  ]

  private static let texts = ["a", "A", "ab", "aB", "ba", "BA", "bab", "abA", "cab"]

  private static func typed(
    _ path: @escaping (Query<Vessel>) -> Query<String>, _ name: String, _ needle: String,
    _ folds: Bool
  ) -> Asked {
    let options: StringOptions = folds ? .caseInsensitive : []
    return switch name {
    case "equals": { path($0).equals(needle, options: options) }
    case "starts": { path($0).starts(with: needle, options: options) }
    case "ends": { path($0).ends(with: needle, options: options) }
    case "contains": { path($0).contains(needle, options: options) }
    case "like": { path($0).like(needle, caseInsensitive: folds) }
    default: { path($0).like("*\(needle)*", caseInsensitive: folds) }
    }
  }

  private static func optional(
    _ path: @escaping (Query<Vessel>) -> Query<String?>, _ name: String, _ needle: String,
    _ folds: Bool
  ) -> Asked {
    let options: StringOptions = folds ? .caseInsensitive : []
    return switch name {
    case "equals": { path($0).equals(needle, options: options) }
    case "starts": { path($0).starts(with: needle, options: options) }
    case "ends": { path($0).ends(with: needle, options: options) }
    case "contains": { path($0).contains(needle, options: options) }
    case "like": { path($0).like(needle, caseInsensitive: folds) }
    default: { path($0).like("*\(needle)*", caseInsensitive: folds) }
    }
  }

  static let probe = Probe("each comparison of texts in Swift, of each kind of property") { stage in
    let realm = try Realm(configuration: Vessel.configuration(stage))
    try realm.write {
      let all = texts.indices.map { Vessel(id: $0) }
      realm.add(all)
      for (vessel, text) in zip(all, texts) {
        (vessel.text, vessel.name, vessel.maybeText) = (text, text, text)
        (vessel.titles["a"], vessel.part) = (text, Part(text: text))
        vessel.link = all[(vessel.id + 1) % all.count]
      }
      let last = Vessel(id: texts.count)
      (last.text, last.name) = ("x", "x")
      realm.add(last)
    }
    let all = realm.objects(Vessel.self).sorted(byKeyPath: "id")
    func linked(_ id: Int) -> String { texts[(id + 1) % texts.count] }
    for (name, holds) in comparisons {
      for folds in [false, true] {
        func ids(_ needle: (Int) -> String, _ text: (Int) -> String) -> [Int] {
          texts.indices.filter {
            folds
              ? holds(text($0).lowercased(), needle($0).lowercased()) : holds(text($0), needle($0))
          }
        }
        for needle in texts + ["B", "nobody"] {
          let what = "\(name) \(needle), folded: \(folds)"
          let own = ids({ _ in needle }, { texts[$0] })
          let ways: [(String, Asked, [Int])] = [
            ("a text", typed({ $0.text }, name, needle, folds), own),
            ("an indexed text", typed({ $0.name }, name, needle, folds), own),
            ("an optional text", optional({ $0.maybeText }, name, needle, folds), own),
            ("a map's text", typed({ $0.titles["a"] }, name, needle, folds), own),
            ("an embedded object's", typed({ $0.part.text }, name, needle, folds), own),
            (
              "a linked one's", typed({ $0.link.text }, name, needle, folds),
              ids({ _ in needle }, linked)
            ),
          ]
          for (place, asked, expected) in ways {
            stage.equal(all.where(asked).map(\.id), expected, "\(place) \(what)")
            let others = Array(0...texts.count).filter { !expected.contains($0) }
            stage.equal(
              all.where { !asked($0) }.map(\.id), others, "not \(place) \(what)")
          }
        }
        // Beside another property.
        let options: StringOptions = folds ? .caseInsensitive : []
        let pairs: Asked? =
          switch name {
          case "equals": { $0.text.equals($0.link.text, options: options) }
          case "starts": { $0.text.starts(with: $0.link.text, options: options) }
          case "ends": { $0.text.ends(with: $0.link.text, options: options) }
          case "contains": { $0.text.contains($0.link.text, options: options) }
          default: nil
          }
        if let pairs {
          stage.equal(
            all.where { $0.link.id >= 0 && pairs($0) }.map(\.id), ids(linked, { texts[$0] }),
            "a text \(name) that of its link, folded: \(folds)")
        }
      }
    }
    for needle in texts {
      for folds in [false, true] {
        let options: StringOptions = folds ? .caseInsensitive : []
        let others = texts.indices.filter {
          folds ? texts[$0].lowercased() != needle.lowercased() : texts[$0] != needle
        }
        let last = [texts.count]
        stage.equal(
          all.where { $0.text.notEquals(needle, options: options) }.map(\.id), others + last,
          "a text that is not \(needle), folded: \(folds)")
        stage.equal(
          all.where { $0.maybeText.notEquals(needle, options: options) }.map(\.id), others + last,
          "an optional text that is not \(needle), folded: \(folds)")
      }
    }
  }
}
