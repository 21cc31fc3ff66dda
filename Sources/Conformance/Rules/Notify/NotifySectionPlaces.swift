import EngineUnderTest
import Foundation

/// Changes of a member in one section while others come and go around it: what was is told by
/// where it was, and what is by where it is.
private struct SectionStep: Sendable {
  let name: String
  let make: @Sendable (Realm) -> Void

  /// The sections before each step are 20, 40 and 60, of three members each.
  static let around: [SectionStep] = [
    SectionStep(name: "nothing") { _ in },
    SectionStep(name: "a section comes before") { $0.put(900, 10) },
    SectionStep(name: "two sections come before, one behind") {
      for (id, balance) in [(900, 10), (901, 15), (902, 70)] { $0.put(id, balance) }
    },
    SectionStep(name: "the section before goes") { $0.delete($0.members(20)) },
    SectionStep(name: "the section before is another") {
      $0.delete($0.members(20))
      $0.put(900, 10)
    },
    SectionStep(name: "the section before moves behind") {
      for member in Array($0.members(20)) { member.balance = 80 }
    },
  ]

  static let within: [SectionStep] = [
    SectionStep(name: "a member is deleted") { $0.delete($0.members(40)[1]) },
    SectionStep(name: "a member is set") { $0.members(40)[2].note = "set" },
    SectionStep(name: "a member comes") { $0.put(405, 40) },
    SectionStep(name: "one is deleted, one set, one comes") {
      let members = Array($0.members(40))
      members[2].note = "set"
      $0.delete(members[0])
      $0.put(399, 40)
    },
    SectionStep(name: "a member goes to the last section") { $0.members(40)[0].balance = 60 },
    SectionStep(name: "the last sections lose one each") {
      $0.delete($0.members(40)[2])
      $0.delete($0.members(60)[0])
    },
  ]

  static func stock(_ realm: Realm) {
    realm.deleteAll()
    for balance in [20, 40, 60] {
      for place in 0..<3 { realm.put(balance * 10 + place * 2, balance) }
    }
  }
}

extension Realm {
  fileprivate func put(_ id: Int, _ balance: Int) { add(Account(id: id, balance: balance)) }

  fileprivate func members(_ balance: Int) -> Results<Account> {
    objects(Account.self).where { $0.balance == balance }.sorted(byKeyPath: "id")
  }
}

/// Sections as somebody saw them.
private struct SeenSections: Equatable {
  var keys: [Int] = []
  var members: [[Int]] = []

  init(_ sections: SectionedResults<Int, Account>) {
    for section in sections {
      keys.append(section.key)
      members.append(section.map(\.id))
    }
  }

  /// The places of members, by their ids, in sections that another one has, too.
  func places(butFor other: SeenSections, _ isMeant: (Int, Int) -> Bool) -> [IndexPath] {
    keys.indices.filter { other.keys.contains(keys[$0]) }.flatMap { section in
      members[section].indices.filter { isMeant(section, members[section][$0]) }
        .map { IndexPath(indexes: [section, $0]) }
    }
  }

  func has(_ id: Int, in key: Int) -> Bool {
    keys.firstIndex(of: key).map { members[$0].contains(id) } ?? false
  }
}

extension Probe {
  static let sectionPlaces: [Probe] = [false, true].map { isForeign in
    let who = isForeign ? "another thread's" : "own"
    return Probe("sections tell what was by where it was: \(who) changes") { stage in
      let realm = try stage.open()
      let sections = realm.objects(Account.self).sectioned(
        by: \.balance,
        sortDescriptors: [SortDescriptor(keyPath: "balance"), SortDescriptor(keyPath: "id")])
      for around in SectionStep.around {
        for within in SectionStep.within {
          try realm.write { SectionStep.stock(realm) }
          let before = SeenSections(sections)
          var told: [[IndexPath]]?
          var hasBegun = false
          let token = sections.observe { change in
            switch change {
            case .initial: hasBegun = true
            case .update(_, let deletions, let insertions, let modifications, _, _):
              told = [deletions, insertions, modifications]
            }
          }
          try stage.spin(until: { hasBegun }, "the first call")
          let step: @Sendable (Realm) -> Void = {
            around.make($0)
            within.make($0)
          }
          if isForeign {
            try stage.elsewhere {
              let other = try stage.open()
              try other.write { step(other) }
            }
          } else {
            try realm.write { step(realm) }
          }
          let what = "\(around.name), and \(within.name)"
          try stage.spin(until: { told != nil }, "the call: \(what)")
          token.invalidate()
          let after = SeenSections(sections)
          let set = Set(realm.objects(Account.self).where { $0.note == "set" }.map(\.id))
          // Sections that have come or gone are told of by themselves.
          let kept = told!.enumerated().map { kind, paths in
            let (own, other) = kind == 1 ? (after, before) : (before, after)
            return paths.filter { $0[0] < own.keys.count && other.keys.contains(own.keys[$0[0]]) }
          }
          let expected = [
            before.places(butFor: after) { !after.has($1, in: before.keys[$0]) },
            after.places(butFor: before) { !before.has($1, in: after.keys[$0]) },
            before.places(butFor: after) { set.contains($1) && after.has($1, in: before.keys[$0]) },
          ]
          if !stage.equal(kept, expected, "what is told: \(what)") { return }
        }
      }
    }
  }
}
