import Foundation
import Testing

@testable import ReferenceEngine

private final class Names: Projection<Person> {
  @Projected(\Person.dogs.projectTo.name) var dogs: ProjectedCollection<String>
}

/// Who listens to what belongs to an object is told once, at the end, when that is deleted.
/// Listeners of sections were not told at all: they went on showing what was no longer there.
@Suite struct GoneOwnerTests {
  private let (desk, other): (Desk, Desk)
  private let told = Noted<String>()

  init() {
    let configuration = freshConfiguration()
    (desk, other) = (Desk(configuration), Desk(configuration))
    other.commit { realm in
      realm.create(
        Person.self,
        value: [
          "name": "Ada",
          "dogs": [
            ["name": "Rex", "age": 3], ["name": "Bo", "age": 1], ["name": "Max", "age": 3],
          ],
        ])
      realm.create(Person.self, value: ["name": "Bob"])
    }
  }

  private func note<C: RealmCollection>(_ name: String) -> (RealmCollectionChange<C>) -> Void {
    { [told] in told.add("\(name) \($0.brief)") }
  }

  private func noteSections<C: RealmSectionedResult>(
    _ name: String
  ) -> (SectionedResultsChange<C>) -> Void {
    { [told] change in
      guard
        case .update(_, let deletions, let insertions, let modifications, let come, let gone) =
          change
      else { return told.add("\(name) initial") }
      let rows = deletions.count + insertions.count + modifications.count
      told.add("\(name) \(rows) +\(Array(come)) -\(Array(gone))")
    }
  }

  private func listen(to person: Person, on queue: DispatchQueue?) -> [NotificationToken] {
    let dogs = person.dogs
    let sections = dogs.sectioned(by: \.age)
    return [
      dogs.observe(on: queue, note("list")),
      dogs.filter("age == 3").observe(on: queue, note("filter")),
      dogs.sorted(byKeyPath: "name").observe(on: queue, note("sort")),
      Names(projecting: person).dogs.observe(on: queue) { [told] change in
        guard case .update(_, let deletions, _, _) = change else { return told.add("view initial") }
        told.add("view -\(deletions)")
      },
      sections.observe(on: queue, noteSections("sections")),
      dogs.filter("age == 3").sectioned(by: \.name).observe(
        on: queue, noteSections("filtered sections")),
    ] + (sections.first.map { [$0.observe(on: queue, noteSections("section"))] } ?? [])
  }

  private static let ends = [
    "list -[0, 1, 2] +[] ~[]", "filter -[0, 1] +[] ~[]", "sort -[0, 1, 2] +[] ~[]",
    "view -[0, 1, 2]", "sections 0 +[] -[0, 1]", "filtered sections 0 +[] -[0, 1]",
    "section 0 +[] -[0]",
  ]

  @Test(arguments: [true, false])
  func `NOTIFY-39: listeners of all kinds are told of the end of what had it all`(isAway: Bool) {
    let tokens = desk.work { realm in
      listen(to: realm.objects(Person.self)[0], on: isAway ? other.queue : nil)
    }
    for place in [desk, other] { place.work { _ in } }
    #expect(told.all.count == tokens.count && told.all.allSatisfy { $0.hasSuffix("initial") })
    told.clear()
    other.commit { $0.delete($0.objects(Person.self)[0]) }
    for place in [desk, other] { place.work { _ in } }
    #expect(told.all == GoneOwnerTests.ends)
    told.clear()
    // Nothing comes after the end.
    other.commit { realm in
      for dog in realm.objects(Dog.self) { dog.age = 3 }
      realm.create(Person.self)
    }
    for place in [desk, other] { place.work { _ in } }
    #expect(told.all == [])
    for token in tokens { token.invalidate() }
  }

  @Test func `NOTIFY-39: who listens where the end is made is told when it is committed`() throws {
    let tokens = other.work { listen(to: $0.objects(Person.self)[0], on: nil) }
    other.work { _ in }
    told.clear()
    other.work { realm in
      realm.beginWrite()
      realm.delete(realm.objects(Person.self)[0])
      realm.cancelWrite()
    }
    other.work { _ in }
    #expect(told.all == [])
    other.commit { $0.delete($0.objects(Person.self)[0]) }
    other.work { _ in }
    #expect(told.all == GoneOwnerTests.ends)
    for token in tokens { token.invalidate() }
  }

  @Test func `NOTIFY-39: the end of what was empty is told too`() {
    let tokens = desk.work { listen(to: $0.objects(Person.self)[1], on: nil) }
    desk.work { _ in }
    told.clear()
    other.commit { $0.delete($0.objects(Person.self)[1]) }
    desk.work { _ in }
    #expect(
      told.all == [
        "list -[] +[] ~[]", "filter -[] +[] ~[]", "sort -[] +[] ~[]", "view -[]",
        "sections 0 +[] -[]", "filtered sections 0 +[] -[]",
      ])
    for token in tokens { token.invalidate() }
  }
}
