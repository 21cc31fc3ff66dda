import EngineUnderTest
import Foundation

/// Three objects and one that holds them, and each of a few changes behind each other one: what all
/// of them come to, as plain Swift finds out.
enum FewObjects {
  /// An object: whoever comes under the key of one that went is another.
  struct One: Hashable {
    let id: Int
    var life = 0
  }

  struct Facts {
    var objects = [1, 2, 3].map { One(id: $0) }
    var amounts = [1: 2, 2: 3, 3: 4]
    var words: [Int: String] = [:]
    var links = [1, 2, 3].map { One(id: $0) }
    var keys: [String: One?] = Dictionary(
      uniqueKeysWithValues: [1, 2, 3].map { ("\($0)", One(id: $0)) })
    /// Whom the first one links to.
    var next: One?
    /// Which properties were set.
    var touched: [One: Set<String>] = [:]

    func one(_ id: Int) -> One? { objects.first { $0.id == id } }

    mutating func touch(_ id: Int, _ property: String) {
      if let one = one(id) { touched[one, default: []].insert(property) }
    }

    mutating func delete(_ id: Int) {
      guard let gone = one(id) else { return }
      objects.removeAll { $0 == gone }
      links.removeAll { $0 == gone }
      for (key, value) in keys where value == gone { keys[key] = .some(nil) }
      if id == 1 { next = nil }
      words[id] = nil
    }

    mutating func add(_ id: Int, _ amount: Int) {
      guard one(id) == nil else { return }
      objects.append(One(id: id, life: 1))
      objects.sort { $0.id < $1.id }
      amounts[id] = amount
    }

    var large: [One] { objects.filter { amounts[$0.id]! > 2 } }
    var ranked: [One] { objects.sorted { (amounts[$0.id]!, $0.id) < (amounts[$1.id]!, $1.id) } }

    /// Whether something was set in it, or in what it links to.
    func isChanged(_ one: One) -> Bool {
      touched[one] != nil || one.id == 1 && next.map { touched[$0] != nil } ?? false
    }

    func has(_ one: One, _ property: String) -> Bool {
      touched[one]?.contains(property) ?? false
    }

    func words(_ one: One) -> String {
      "\(one.id) \(amounts[one.id]!) \(words[one.id] ?? "") "
        + "\(one.id == 1 ? next?.id ?? -1 : -1)"
    }

    /// Everything, in one line.
    var dump: String {
      "\(objects.map { words($0) }) \(links.map(\.id)) "
        + keys.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value?.id ?? -1)" }
        .joined(separator: " ")
    }
  }

  /// What a realm of few objects shows, in the same words.
  static func dump(_ realm: Realm) -> String {
    guard let owner = realm.specimen(0) else { return "nothing" }
    let some = realm.objects(Specimen.self).where { $0.id > 0 }.sorted(byKeyPath: "id")
    return "\(Array(some.map { words($0) })) \(Array(owner.members.map(\.id))) "
      + owner.named.keys.sorted().map { "\($0)=\((owner.named[$0] ?? nil)?.id ?? -1)" }
      .joined(separator: " ")
  }

  static func words(_ one: Specimen) -> String {
    "\(one.id) \(one.amount) \(one.word) \(one.next?.id ?? -1)"
  }

  struct Act {
    let name: String
    let run: (Realm) -> Void
    let model: (inout Facts) -> Void
  }

  private static func add(_ realm: Realm, _ id: Int, _ amount: Int) {
    guard realm.specimen(id) == nil else { return }
    let one = Specimen(id: id)
    one.amount = amount
    realm.add(one)
  }

  private static func delete(_ realm: Realm, _ id: Int) {
    if let one = realm.specimen(id) { realm.delete(one) }
  }

  private static func set(_ id: Int, _ amount: Int) -> Act {
    Act(
      name: "the amount of \(id) to \(amount)", run: { $0.specimen(id)?.amount = amount },
      model: {
        if $0.one(id) != nil { $0.amounts[id] = amount }
        $0.touch(id, "amount")
      })
  }

  static var acts: [Act] {
    [
      Act(name: "nothing", run: { _ in }, model: { _ in }),
      Act(name: "add 4", run: { add($0, 4, 3) }, model: { $0.add(4, 3) }),
      Act(name: "delete 2", run: { delete($0, 2) }, model: { $0.delete(2) }),
      Act(name: "delete 1", run: { delete($0, 1) }, model: { $0.delete(1) }),
      Act(
        name: "another under the key of 2",
        run: {
          delete($0, 2)
          add($0, 2, 3)
        },
        model: {
          $0.delete(2)
          $0.add(2, 3)
        }),
      Act(
        name: "add 5 and delete it",
        run: {
          add($0, 5, 9)
          delete($0, 5)
        }, model: { _ in }),
      set(1, 5), set(3, 1), set(2, 3),
      Act(
        name: "a text of 1", run: { $0.specimen(1)?.word = "new" },
        model: {
          if $0.one(1) != nil { $0.words[1] = "new" }
          $0.touch(1, "word")
        }),
      Act(
        name: "a link of 1 to 3",
        run: { realm in realm.specimen(1)?.next = realm.specimen(3) },
        model: {
          if $0.one(1) != nil { $0.next = $0.one(3) }
          $0.touch(1, "next")
        }),
      Act(
        name: "a link of 1 to nobody", run: { $0.specimen(1)?.next = nil },
        model: {
          $0.next = nil
          $0.touch(1, "next")
        }),
      Act(
        name: "3 into the list",
        run: { $0.specimen(0)!.members.append($0.specimen(3)!) },
        model: { $0.links.append($0.one(3)!) }),
      Act(
        name: "the list's first out",
        run: { $0.specimen(0)!.members.remove(at: 0) }, model: { $0.links.removeFirst() }),
      Act(
        name: "another key to 3",
        run: { $0.specimen(0)!.named["x"] = .some($0.specimen(3)!) },
        model: { $0.keys["x"] = $0.one(3)! }),
      Act(
        name: "a key out", run: { $0.specimen(0)!.named["1"] = nil },
        model: { $0.keys["1"] = nil }),
    ]
  }

  static func stock(_ realm: Realm) {
    realm.deleteAll()
    let owner = Specimen(id: 0)
    realm.add(owner)
    let facts = Facts()
    for id in 1...3 {
      let one = Specimen(id: id)
      one.amount = facts.amounts[id]!
      realm.add(one)
      owner.members.append(one)
      owner.named["\(id)"] = .some(one)
    }
  }

  /// Every two of the acts, one behind the other; which ways of several are taken is the caller's.
  static var pairs: [(number: Int, first: Act, second: Act)] {
    let acts = acts
    return acts.indices.flatMap { one in
      acts.indices.map { (one * acts.count + $0, acts[one], acts[$0]) }
    }
  }
}
