import EngineUnderTest
import Harness

/// The members of a question in sections by their numbers.
final class HeldSections<T: Wide>: Held {
  private let sections: SectionedResults<Int, T>
  private let question: Question

  init(_ sections: SectionedResults<Int, T>, _ question: Question) {
    (self.sections, self.question) = (sections, question)
  }

  var name: String { "the sections by number of \(question.words)" }
  var tellsItsEnd: Bool { false }
  var isInvalidated: Bool { false }
  var isFrozen: Bool { sections.isFrozen }
  var shownRealm: Realm? { nil }
  func isThere(in state: WideState) -> Bool { question.expected(in: state) != nil }
  func frozen() -> any Held { HeldSections(sections.freeze(), question) }
  func thawed() -> (any Held)? { sections.thaw().map { HeldSections($0, question) } }
  func parcel() -> (any Parcel)? { nil }
  func variable() -> (() -> (any Held)?)? { nil }

  func complaint(_ finder: Finder, _ dice: inout SplitMix) -> String? {
    guard let numbers = question.numbers(in: finder.state) else { return nil }
    let keys = numbers.keys.sorted()
    if sections.count != keys.count { return "\(name) are \(sections.count) of \(keys)" }
    if sections.allKeys != keys { return "\(name) have the keys \(sections.allKeys), not \(keys)" }
    for (place, key) in keys.enumerated() {
      let section = sections[place]
      let births = section.map(\.birth)
      if section.key != key || section.count != births.count
        || births.sorted() != numbers[key]!.sorted()
      {
        return "\(name): section \(place) is \(section.key) of rows \(births), not \(key) of "
          + "\(numbers[key]!)"
      }
    }
    return nil
  }
}

/// One of such sections.
final class HeldSection<T: Wide>: Held {
  private let section: ResultsSection<Int, T>
  private let question: Question

  init(_ section: ResultsSection<Int, T>, _ question: Question) {
    (self.section, self.question) = (section, question)
  }

  var name: String { "section \(section.key) by number of \(question.words)" }
  var tellsItsEnd: Bool { false }
  var isInvalidated: Bool { false }
  var isFrozen: Bool { section.isFrozen }
  var shownRealm: Realm? { nil }
  func isThere(in state: WideState) -> Bool { question.expected(in: state) != nil }
  func frozen() -> any Held { HeldSection(section.freeze(), question) }
  func thawed() -> (any Held)? { section.thaw().map { HeldSection($0, question) } }
  func parcel() -> (any Parcel)? { nil }
  func variable() -> (() -> (any Held)?)? { nil }

  func complaint(_ finder: Finder, _ dice: inout SplitMix) -> String? {
    guard let numbers = question.numbers(in: finder.state) else { return nil }
    let expected = (numbers[section.key] ?? []).sorted()
    if section.count != expected.count {
      return "\(name) counts \(section.count) instead of \(expected.count)"
    }
    let births = section.map(\.birth).sorted()
    return births == expected ? nil : "\(name) has \(births) instead of \(expected)"
  }
}

extension Question {
  /// The members' births by their numbers.
  fileprivate func numbers(in state: WideState) -> [Int: [Int]]? {
    expected(in: state).map { expected in
      var numbers: [Int: [Int]] = [:]
      for case .row(let birth) in expected.values {
        guard case .int(let number)? = state.content(birth, 2)?.single else { continue }
        numbers[number, default: []].append(birth)
      }
      return numbers
    }
  }

  /// Something to be kept that answers it: the members, or sections of them, or one section.
  func held<T: Wide>(of type: T.Type, _ finder: Finder, _ number: Int) -> (any Held)? {
    guard let found = asked(of: type, finder) else { return nil }
    if Engine.offersReins, number % 4 == 0, onlyFilters {
      let sections = found.sectioned(by: T.byNumber)
      guard number % 8 == 0, let section = sections.first else {
        return HeldSections(sections, self)
      }
      return HeldSection(section, self)
    }
    return HeldCollection(words, found, further: Asking.objects) { expected(in: $0) }
  }
}
