import EngineUnderTest
import Foundation

/// Listens to objects in sections by their numbers.
final class SectionsMirror<T: Wide>: Mirror {
  private struct Section: Equatable {
    let key: Int
    let births: [Int]
  }

  private let name: String
  private let sections: SectionedResults<Int, T>
  private(set) var token: NotificationToken?
  private var copy: [Section]?
  private var wrong: String?

  init(_ sections: SectionedResults<Int, T>, _ words: String) {
    (self.sections, name) = (sections, "a listener of the sections of \(words)")
  }

  func listen() {
    token = sections.observe { [unowned self] change in take(change) }
  }

  func listen(on actor: Keeper, isolation: isolated (any Actor)?) async {
    wrong = "\(name) is not made for actors"
  }

  var hasBegun: Bool { copy != nil }

  func skip(_ state: WideState) { copy = Self.all(sections) }

  func end() {
    token?.invalidate()
    token = nil
  }

  private static func all(_ sections: SectionedResults<Int, T>) -> [Section] {
    sections.map { Section(key: $0.key, births: $0.map(\.birth)) }
  }

  private func take(_ change: SectionedResultsChange<SectionedResults<Int, T>>) {
    switch change {
    case .initial(let all): copy = Self.all(all)
    case .update(
      let all, let deletions, let insertions, let modifications, let newSections, let oldSections):
      let now = Self.all(all)
      if !follows(now, deletions, insertions, modifications, newSections, oldSections) {
        wrong =
          wrong ?? "\(name) was told otherwise than it came: \(copy ?? []) is \(now) by "
          + "\(deletions) \(insertions) \(Array(newSections)) \(Array(oldSections))"
      }
      copy = now
    }
  }

  /// Whether what was told makes the new sections of the old ones.
  private func follows(
    _ now: [Section], _ deletions: [IndexPath], _ insertions: [IndexPath],
    _ modifications: [IndexPath], _ newSections: IndexSet, _ oldSections: IndexSet
  ) -> Bool {
    guard let copy else { return false }
    let stayed = copy.indices.filter { !oldSections.contains($0) }
    let places = now.indices.filter { !newSections.contains($0) }
    if stayed.count != places.count { return false }
    for (was, place) in zip(stayed, places) {
      if copy[was].key != now[place].key { return false }
      let gone = Set(deletions.filter { $0[0] == was }.map { $0[1] })
      let come = Set(insertions.filter { $0[0] == place }.map { $0[1] })
      let kept = copy[was].births.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
      let there = now[place].births.enumerated().filter { !come.contains($0.offset) }
        .map(\.element)
      if kept != there { return false }
    }
    return true
  }

  func complaint(_ finder: Finder, _ touched: Touched) -> String? {
    if let wrong { return wrong }
    let now = Self.all(sections)
    return copy == now ? nil : "\(name) was told of \(copy ?? []), not \(now)"
  }
}
