import Testing

@testable import ReferenceEngine

/// An object that a list has three times was there once among the links backwards; Realm keeps one
/// for each time.
@Suite struct LinkCountTests {
  private func ids(_ knot: Bead) -> [Int] { knot.listers.map(\.id) }

  private func configuration(_ scratch: Scratch) -> Realm.Configuration {
    scratch.configuration([Bead.self, BeadPart.self, Band.self])
  }

  /// That what the links backwards say is what the lists and maps have.
  private func check(_ realm: Realm, _ when: String) {
    let knots = realm.objects(Bead.self)
    for knot in knots {
      var (lists, maps) = ([Int: Int](), [Int: Int]())
      for other in knots {
        lists[other.id] = other.list.count { $0.isSameObject(as: knot) }
        maps[other.id] = other.map.values.count { $0?.isSameObject(as: knot) ?? false }
      }
      for other in knots {
        let listed = knot.listers.count { $0.id == other.id }
        let mapped = knot.mappers.count { $0.id == other.id }
        #expect(listed == lists[other.id], "\(when): list of \(other.id) to \(knot.id)")
        #expect(mapped == maps[other.id], "\(when): map of \(other.id) to \(knot.id)")
      }
      #expect(knot.listers.count == lists.values.reduce(0, +), "\(when): \(knot.id)")
      #expect(
        realm.objects(Bead.self).filter(
          "listers.@count == %@ AND id == %@",
          lists.values.reduce(0, +), knot.id
        ).count == 1, "\(when): \(knot.id) by a query")
      #expect(
        realm.objects(Bead.self).filter(
          "listers.@sum.id == %@ AND id == %@",
          lists.map { $0 * $1 }.reduce(0, +), knot.id
        ).count == 1, "\(when): \(knot.id) by a sum")
    }
  }

  @Test func `DATA-09: an object that a list has three times is linked to three times`() throws {
    let scratch = Scratch()
    try autoreleased {
      let realm = try Realm(configuration: configuration(scratch))
      try realm.write {
        let (a, b) = (realm.create(Bead.self, value: ["id": 1]), realm.create(Bead.self))
        a.list.append(objectsIn: [b, b, b])
        #expect(b.listers.count == 3 && ids(b) == [1, 1, 1])
        #expect(b.listers[2].id == 1 && b.listers.index(of: a) == 0)
        a.list.remove(at: 1)
        #expect(b.listers.count == 2)
        a.map["x"] = b
        a.map["y"] = b
        #expect(b.mappers.count == 2)
      }
    }
    try autoreleased {
      let realm = try Realm(configuration: configuration(scratch))
      let (a, b) = (realm.objects(Bead.self)[0], realm.objects(Bead.self)[1])
      #expect(b.listers.count == 2 && b.mappers.count == 2)
      try realm.write {
        a.list.append(b)
        a.list.replaceSubrange(0..<2, with: [])
        #expect(b.listers.count == 1)
        a.list.append(objectsIn: [b, b])
        realm.delete(a)
        #expect(b.listers.isEmpty && b.mappers.isEmpty)
      }
      #expect(b.listers.isEmpty)
    }
  }

  @Test func `DATA-09: links are counted whatever is done to them`() throws {
    let seed = Wish.seed()
    var dice = Dice(seed: seed)
    let scratch = Scratch()
    for round in 0..<30 {
      try autoreleased {
        var configuration = configuration(scratch)
        if round % 3 == 2 { configuration.shouldCompactOnLaunch = { _, _ in true } }
        let realm = try Realm(configuration: configuration)
        let knots = realm.objects(Bead.self)
        check(realm, "round \(round) reopened, SEED=\(seed)")
        for _ in 0..<4 {
          realm.beginWrite()
          while knots.count < 5 { realm.create(Bead.self, value: ["id": dice.below(1_000_000)]) }
          for _ in 0..<6 {
            let (one, other) = (knots[dice.below(knots.count)], knots[dice.below(knots.count)])
            switch dice.below(14) {
            case 0, 1, 2: one.list.append(objectsIn: [other, other])
            case 3: if !one.list.isEmpty { one.list.remove(at: dice.below(one.list.count)) }
            case 4: if !one.list.isEmpty { one.list[dice.below(one.list.count)] = other }
            case 5: one.list.insert(other, at: dice.below(one.list.count + 1))
            case 6: if dice.below(3) == 0 { one.list.removeAll() }
            case 7: if dice.below(3) == 0 { realm.delete(one) }
            case 8: if one.list.count > 1 { one.list.move(from: 0, to: one.list.count - 1) }
            case 9: if one.list.count > 1 { one.list.swapAt(0, one.list.count - 1) }
            case 10: one.setValue([other, one, other], forKey: "list")
            case 11, 12: one.map["\(dice.below(4))"] = other
            default: one.map.removeObject(for: "\(dice.below(4))")
            }
            if knots.isEmpty { break }
          }
          if dice.below(4) == 0 { realm.cancelWrite() } else { try realm.commitWrite() }
        }
        check(realm, "round \(round), SEED=\(seed)")
        _ = try realm.session.coordinator.checkEverything()
      }
    }
  }
}

private func autoreleased(_ body: () throws -> Void) rethrows { try body() }
