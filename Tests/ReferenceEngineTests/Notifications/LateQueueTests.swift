import Dispatch
import Foundation
import Testing

@testable import ReferenceEngine

/// A listener on a queue that comes late was told by comparing versions, which does not show what
/// was set to the value it had; a listener at home, as late, was told of it.
@Suite struct LateQueueTests {
  private let (home, other): (Desk, Desk)
  /// Where nobody comes to its listeners until all is committed.
  private let queue = DispatchQueue(label: "late")
  private let told = Noted<String>()

  init() {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [Everything.self, Address.self])
    (home, other) = (Desk(configuration), Desk(configuration))
    other.commit { realm in
      let one = realm.create(Everything.self, value: ["string": "a", "ints": [1, 2]])
      one.link = one
      one.linkSet.insert(one)
      one.linkMap["me"] = one
      one.stringSet.insert("x")
      one.intMap["k"] = 1
      realm.create(Everything.self)
    }
  }

  private func note<C: RealmCollection>(_ name: String) -> (RealmCollectionChange<C>) -> Void {
    { [told] change in
      guard case .initial(let all) = change else { return told.add("\(name) \(change.brief)") }
      told.add("\(name) initial \(all.count)")
    }
  }

  private func note(_ name: String) -> (ObjectChange<Everything>) -> Void {
    { [told] change in
      guard case .change(_, let properties) = change else { return told.add("\(name) \(change)") }
      // Of an object that is linked to, that it is one: its text has addresses.
      func text(_ value: Any?) -> String { value is ObjectBase ? "object" : "\(value ?? "-")" }
      let all = properties.map { "\($0.name) \(text($0.oldValue)) \(text($0.newValue))" }
      told.add("\(name) \(all)")
    }
  }

  /// Listens to an object and to what belongs to it.
  private func listen(
    to one: Everything, in realm: Realm, on queue: DispatchQueue?
  ) -> [NotificationToken] {
    [
      one.observe(on: queue, note("object")),
      one.observe(keyPaths: ["string", "link.bool"], on: queue, note("by key path")),
      realm.objects(Everything.self).observe(on: queue, note("results")),
      realm.objects(Everything.self).where { $0.string == "a" }.observe(on: queue, note("filter")),
      one.ints.observe(on: queue, note("list")),
      one.linkSet.observe(on: queue, note("links")),
      one.linkMap.observe(on: queue) { [told] change in
        guard case .update(_, let deletions, let insertions, let modifications) = change else {
          return told.add("map initial")
        }
        told.add("map -\(deletions) +\(insertions) ~\(modifications)")
      },
    ]
  }

  private static let steps: [(String, @Sendable (Everything) -> Void)] = [
    (
      "set to what they are",
      { one in
        one.string = one.string
        one.bool = one.bool
      }
    ),
    (
      "set to others and back",
      { one in
        (one.string, one.int) = ("b", one.int + 1)
        (one.string, one.int) = ("a", one.int - 1)
      }
    ),
    ("changed", { $0.double += 1 }),
    ("in a list", { $0.ints[0] = $0.ints[0] }),
  ]

  /// Commits one after the other: in so many the records of the first are let go of, if nobody is
  /// known to need them.
  private func commit(_ step: (Everything) -> Void) {
    for _ in 0..<40 { other.commit { step($0.objects(Everything.self)[0]) } }
  }

  @Test(arguments: steps.indices)
  func `NOTIFY-08, NOTIFY-22: a queue that comes late is told as a home is that comes late`(
    step: Int
  ) {
    let (name, change) = LateQueueTests.steps[step]
    // The first calls of collections come at once, so what follows is a change to them.
    let tokens = home.work { realm -> [NotificationToken] in
      let one = realm.objects(Everything.self)[0]
      return listen(to: one, in: realm, on: nil)
    }
    home.work { _ in }
    told.clear()
    home.work { _ in commit(change) }
    home.work { _ in }
    let atHome = told.all.filter { $0.hasPrefix("object") || $0.hasPrefix("by key path") }
    #expect(atHome.count >= 1, "\(name)")
    for token in tokens { token.invalidate() }
    told.clear()

    queue.suspend()
    let late = home.work { realm in
      listen(to: realm.objects(Everything.self)[0], in: realm, on: queue)
    }
    commit(change)
    queue.resume()
    queue.sync {}
    let onQueue = told.all.filter { $0.hasPrefix("object") || $0.hasPrefix("by key path") }
    // Values before and after differ by what was committed before.
    func names(_ all: [String]) -> [String] { all.map { $0.filter { !$0.isNumber } } }
    #expect(names(onQueue) == names(atHome), "\(name)")
    for token in late { token.invalidate() }
    queue.sync {}
  }

  @Test func `NOTIFY-08: a queue that falls behind is told as a home is that falls behind`() {
    let late = home.work { realm in
      listen(to: realm.objects(Everything.self)[0], in: realm, on: queue)
    }
    queue.sync {}
    for (name, change) in LateQueueTests.steps {
      let tokens = home.work { realm in
        listen(to: realm.objects(Everything.self)[0], in: realm, on: nil)
      }
      home.work { _ in }
      queue.sync {}
      told.clear()
      queue.suspend()
      home.work { _ in commit(change) }
      home.work { _ in }
      let atHome = told.all
      told.clear()
      queue.resume()
      queue.sync {}
      #expect(told.all == atHome && !atHome.isEmpty, "\(name)")
      for token in tokens { token.invalidate() }
    }
    for token in late { token.invalidate() }
    queue.sync {}
  }
}
