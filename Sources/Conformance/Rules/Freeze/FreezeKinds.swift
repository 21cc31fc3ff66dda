import EngineUnderTest
import Foundation
import Harness

/// What is said of what is frozen is said of each kind of thing.
enum FreezeKinds {
  private static func all(_ realm: Realm) -> [(name: String, held: RefKinds.Held)] {
    RefKinds.all.flatMap { kind in
      (1...2).map { ("\(kind.name) of \($0)", kind.hold(realm, $0)) }
    }
  }

  /// What happens between two looks, whoever does it.
  private static let courses: [(name: String, run: @Sendable (Stage, Realm, Int) throws -> Void)] =
    [
      ("nothing happened", { _, _, _ in }),
      ("an own write", { _, realm, mark in try realm.write { RefKinds.change(realm, mark) } }),
      (
        "a cancelled write",
        { _, realm, mark in
          realm.beginWrite()
          RefKinds.change(realm, mark)
          realm.cancelWrite()
        }
      ),
      (
        "a write elsewhere and a refresh",
        { stage, realm, mark in
          let configuration = realm.configuration
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            try other.write { RefKinds.change(other, mark) }
          }
          realm.refresh()
        }
      ),
    ]

  /// Freezing gives a frozen thing of a frozen realm, and leaves the live one as it was.
  static let ofFrozenRealms = Probe(
    "what is frozen of each kind is of one frozen realm, and the live one stays what it was"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try RefKinds.stocked(stage)
    for (number, course) in courses.enumerated() {
      for (name, held) in all(realm) {
        let what = "\(name), after \(course.name)"
        let (digest, snapshot) = (held.digest(), realm.freeze())
        let frozen = held.freeze()
        stage.equal(frozen.isFrozen(), true, "whether it is frozen, \(what)")
        stage.expect(frozen.realm() == snapshot, "the frozen realm of the version, \(what)")
        stage.equal(frozen.realm()?.isFrozen, true, "whether its realm is frozen, \(what)")
        stage.equal(frozen.isInvalidated(), false, "whether it is invalidated, \(what)")
        stage.equal(frozen.digest(), digest, "what is frozen, \(what)")
        stage.equal(held.isFrozen(), false, "whether the live one is frozen, \(what)")
        stage.expect(held.realm() == realm, "the realm of the live one, \(what)")
        stage.equal(held.digest(), digest, "the live one, \(what)")
      }
      try course.run(stage, realm, number + 1)
    }
  }

  /// Freezing what is frozen and thawing what is live gives the very same, wherever it is done.
  static let ofThemselves = Probe(
    "freezing what is frozen of each kind gives itself, here and elsewhere; thawing the live, too"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try RefKinds.stocked(stage)
    for (number, course) in courses.enumerated() {
      let kept = all(realm).map { (name: $0.name, live: $0.held, frozen: $0.held.freeze()) }
      try course.run(stage, realm, number + 1)
      func again(_ place: String) {
        for (name, _, frozen) in kept {
          let again = frozen.freeze()
          let what = "\(name), after \(course.name), \(place)"
          stage.expect(again.instance === frozen.instance, "itself, frozen again, \(what)")
          stage.expect(again.realm() == frozen.realm(), "its realm, frozen again, \(what)")
          stage.equal(again.digest(), frozen.digest(), "what it shows, \(what)")
        }
      }
      again("here")
      nonisolated(unsafe) let elsewhere = again
      try stage.elsewhere { elsewhere("elsewhere") }
      for isInWrite in [false, true] {
        if isInWrite { realm.beginWrite() }
        for (name, live, _) in kept {
          let thawed = live.thaw()
          let what = "\(name), after \(course.name), in a write: \(isInWrite)"
          stage.expect(
            thawed != nil && thawed!.instance === live.instance, "itself, thawed, \(what)")
          stage.expect(thawed?.realm() == realm, "the realm of what is thawed, \(what)")
        }
        if isInWrite { realm.cancelWrite() }
      }
      for (name, live, frozen) in kept {
        // Thawed twice it is the same thing, and what is thawed freezes like any.
        let (one, two) = (frozen.thaw(), frozen.thaw())
        stage.equal(one?.digest(), live.digest(), "what \(name) thaws to, after \(course.name)")
        stage.equal(two?.digest(), live.digest(), "and again, \(name), after \(course.name)")
        stage.expect(one?.realm() == realm, "the realm of \(name), thawed here")
        stage.equal(one?.thaw()?.digest(), live.digest(), "\(name), thawed and thawed")
        stage.equal(one?.freeze().digest(), live.digest(), "\(name), thawed and frozen")
      }
    }
  }

  /// Where somebody asks.
  private enum Place: String, CaseIterable {
    case here, elsewhere
    case inAWrite = "in a write"
    case queue = "on a queue"
  }

  /// `isFrozen` is for everyone.
  static let answers = Probe("whether it is frozen is told of each kind, anywhere and any time") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try RefKinds.stocked(stage)
    let kept = all(realm)
    let frozen = kept.map { $0.held.freeze() }
    let snapshot = realm.freeze()
    func look(_ moment: String) {
      for place in Place.allCases {
        func ask() {
          for (number, one) in kept.enumerated() {
            let what = "\(one.name), \(place.rawValue), \(moment)"
            stage.equal(one.held.isFrozen(), false, "whether the live one is frozen, \(what)")
            stage.equal(frozen[number].isFrozen(), true, "whether the frozen one is, \(what)")
          }
          stage.equal(realm.isFrozen, false, "whether the realm is, \(place), \(moment)")
          stage.equal(snapshot.isFrozen, true, "whether its snapshot is, \(place), \(moment)")
        }
        switch place {
        case .here: ask()
        case .inAWrite:
          realm.beginWrite()
          ask()
          realm.cancelWrite()
        case .elsewhere:
          nonisolated(unsafe) let ask = ask
          _ = try? stage.elsewhere { ask() }
        case .queue: DispatchQueue(label: "another").sync { ask() }
        }
      }
    }
    look("at first")
    try realm.write { RefKinds.change(realm, 1) }
    look("after a write")
    realm.invalidate()
    look("after invalidate()")
    try realm.write { realm.deleteAll() }
    look("when all is gone")
  }

  /// Nothing that no realm manages is frozen.
  static let unmanaged = Probe("unmanaged things of each kind are not frozen, here and elsewhere") {
    stage in
    let vessel = Vessel(id: 1)
    vessel.part = Part(text: "part")
    vessel.parts.append(Part(text: "one"))
    vessel.links.append(vessel)
    vessel.group.insert(vessel)
    vessel.named["a"] = .some(vessel)
    let answers: [(String, () -> Bool)] = [
      ("an object", { vessel.isFrozen }), ("an embedded object", { vessel.part!.isFrozen }),
      ("an embedded object in a list", { vessel.parts[0].isFrozen }),
      ("a list of objects", { vessel.links.isFrozen }),
      ("a list of texts", { vessel.texts.isFrozen }),
      ("a list of mixed values", { vessel.mixture.isFrozen }),
      ("a set of objects", { vessel.group.isFrozen }),
      ("a set of texts", { vessel.labels.isFrozen }),
      ("a map of objects", { vessel.named.isFrozen }),
      ("a map of texts", { vessel.titles.isFrozen }),
      ("a list by itself", { List<Data>().isFrozen }),
      ("a set by itself", { MutableSet<Int>().isFrozen }),
      ("a map by itself", { Map<String, Int>().isFrozen }),
    ]
    func ask(_ place: String) {
      for (name, answer) in answers {
        stage.equal(answer(), false, "whether \(name) is frozen, \(place)")
      }
    }
    ask("at first")
    nonisolated(unsafe) let elsewhere = ask
    try stage.elsewhere { elsewhere("elsewhere") }
    // A copy of what is frozen is as free as any.
    let realm = try RefKinds.stocked(stage)
    let copy = Vessel(value: realm.vessel(1)!.freeze())
    stage.equal(copy.isFrozen, false, "whether a copy of a frozen object is frozen")
    stage.equal(copy.texts.isFrozen, false, "whether its list is")
    stage.equal(copy.titles.isFrozen, false, "whether its map is")
  }

  /// What no realm manages, and is asked to freeze or to thaw.
  static func refusals(_ verb: String) -> [Probe] {
    let words = [
      "Unmanaged objects cannot be", "This method may only be called on",
    ]
    let acts: [(String, @Sendable (Vessel, Bool) -> Void)] = [
      ("an embedded object", { $1 ? use($0.part!.freeze()) : use($0.part!.thaw()) }),
      ("a list", { $1 ? use($0.texts.freeze()) : use($0.texts.thaw()) }),
      ("a list of objects", { $1 ? use($0.links.freeze()) : use($0.links.thaw()) }),
      ("a set", { $1 ? use($0.labels.freeze()) : use($0.labels.thaw()) }),
      ("a map", { $1 ? use($0.titles.freeze()) : use($0.titles.thaw()) }),
    ]
    return acts.map { name, act in
      Probe("\(name) without a realm", refusing: words) { stage in
        let vessel = Vessel(id: 1)
        vessel.part = Part(text: "part")
        stage.act { act(vessel, verb == "freeze") }
      }
    }
  }

  /// How something ends before it is asked to freeze.
  private enum End: String, CaseIterable {
    case deleted, invalidated
    case elsewhere = "deleted elsewhere"
  }

  /// Things that are gone cannot be frozen.
  static let refusalsOfTheGone: [Probe] = End.allCases.flatMap { end in
    ["an object", "an embedded object", "a list", "a list of objects", "a set", "a map"].map {
      name in
      Probe(
        "\(name), \(end.rawValue)",
        refusing: [Words.invalidated, "no longer valid", "invalidated", "deleted"]
      ) { stage in
        let realm = try Vessel.stocked(stage)
        let vessel = realm.vessel(1)!
        let (part, texts, links) = (vessel.part!, vessel.texts, vessel.links)
        let (labels, titles) = (vessel.labels, vessel.titles)
        // Frozen before, which must not help.
        use((vessel.freeze().id, texts.freeze().count, titles.freeze().count))
        switch end {
        case .deleted: try realm.write { realm.delete(vessel) }
        case .invalidated: realm.invalidate()
        case .elsewhere:
          try stage.elsewhere {
            let other = try Vessel.stocked(stage)
            try other.write { other.delete(other.vessel(1)!) }
          }
          realm.refresh()
        }
        stage.act {
          switch name {
          case "an object": use(vessel.freeze())
          case "an embedded object": use(part.freeze())
          case "a list": use(texts.freeze())
          case "a list of objects": use(links.freeze())
          case "a set": use(labels.freeze())
          default: use(titles.freeze())
          }
        }
      }
    }
  }

  /// In which kind of write something is frozen.
  private enum Write: String, CaseIterable, Sendable {
    case write
    case beginWrite = "beginWrite()"
    case beginAsyncWrite = "beginAsyncWrite()"
    case writeAsync = "writeAsync()"
    case second = "a second write in a block"
  }

  /// Freezing inside a write shows its beginning, of each kind and in each kind of write.
  static let insideWrites: [Probe] = Write.allCases.map { kind in
    Probe("each kind of thing that is frozen in a write is as at its beginning: \(kind.rawValue)") {
      stage in
      Backstage.hooks?.skipFlushes()
      let realm = try RefKinds.stocked(stage)
      realm.autorefresh = false
      let configuration = realm.configuration
      for round in 1...2 {
        // The begin comes to what another has committed.
        let newest = try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write { RefKinds.change(other, 10 * round) }
          return all(other).map { $0.held.digest() }
        }
        let kept = all(realm)
        // What was frozen before is kept, and not taken for what is frozen now.
        let earlier = realm.freeze()
        defer { withExtendedLifetime(earlier) {} }
        func look() {
          var expected = newest
          if kind == .second {
            expected = kept.map { $0.held.digest() }
            stage.expect(expected != newest, "the first write of the block has changed something")
          }
          RefKinds.change(realm, 10 * round + 1)
          for (number, one) in kept.enumerated() {
            let what = "\(one.name), in \(kind.rawValue), round \(round)"
            stage.equal(one.held.freeze().digest(), expected[number], "frozen, \(what)")
          }
          let frozen = realm.freeze()
          stage.expect(
            all(frozen).map { $0.held.digest() } == expected, "the frozen realm as it began")
          // Changed once more, and frozen once more.
          RefKinds.change(realm, 10 * round + 2)
          for (number, one) in kept.enumerated() {
            stage.equal(
              one.held.freeze().digest(), expected[number], "frozen later, \(one.name), \(kind)")
          }
          stage.expect(realm.freeze() == frozen, "the same frozen realm all through the write")
        }
        var isDone = false
        switch kind {
        case .write: try realm.write { look() }
        case .beginWrite:
          realm.beginWrite()
          look()
          try realm.commitWrite()
        case .second:
          try realm.write {
            RefKinds.change(realm, 10 * round + 3)
            try realm.commitWrite()
            realm.beginWrite()
            look()
          }
        case .beginAsyncWrite:
          realm.beginAsyncWrite {
            look()
            realm.commitAsyncWrite { _ in isDone = true }
          }
          try stage.spin(until: { isDone }, "the commit")
        case .writeAsync:
          realm.writeAsync({ look() }, onComplete: { _ in isDone = true })
          try stage.spin(until: { isDone }, "the commit")
        }
        stage.equal(
          realm.freeze().vessel(1)?.number, 10 * round + 2, "the number frozen after \(kind)")
      }
    }
  }

  /// A realm freezes and thaws objects and collections that it is given.
  static let byRealms = Probe("a realm freezes and thaws the objects and collections it is given") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try RefKinds.stocked(stage)
    for round in 1...3 {
      let vessel = realm.vessel(1)!
      let all = realm.objects(Vessel.self).where { $0.number >= 0 }
      let (links, texts, group) = (vessel.links, vessel.texts, vessel.group)
      let before = (vessel.number, links.count, texts.count, group.count)
      let snapshot = realm.freeze()
      func check(_ isFrozen: Bool, _ there: Realm?, _ what: String) {
        stage.equal(isFrozen, true, "whether \(what) is frozen, round \(round)")
        stage.expect(there == snapshot, "\(what) is of the frozen realm, round \(round)")
      }
      let object = realm.freeze(vessel)
      let (frozenAll, frozenLinks) = (realm.freeze(all), realm.freeze(links))
      let (frozenTexts, frozenGroup) = (realm.freeze(texts), realm.freeze(group))
      check(object.isFrozen, object.realm, "an object")
      check(frozenAll.isFrozen, frozenAll.realm, "a query")
      check(frozenLinks.isFrozen, frozenLinks.realm, "a list of objects")
      check(frozenTexts.isFrozen, frozenTexts.realm, "a list of texts")
      check(frozenGroup.isFrozen, frozenGroup.realm, "a set")
      stage.expect(realm.freeze(object) === object, "what is frozen, frozen again, is itself")
      stage.expect(realm.freeze(frozenTexts) === frozenTexts, "and so is a list")
      stage.expect(realm.thaw(vessel) === vessel, "what is live, thawed, is itself")
      stage.expect(realm.thaw(texts) === texts, "and so is a live list")
      try realm.write { RefKinds.change(realm, 10 * round) }
      stage.equal(object.number, before.0, "the frozen number, round \(round)")
      stage.equal(frozenLinks.count, before.1, "the frozen links, round \(round)")
      stage.equal(frozenTexts.count, before.2, "the frozen texts, round \(round)")
      stage.equal(frozenGroup.count, before.3, "the frozen set, round \(round)")
      stage.equal(frozenAll.first?.number, before.0, "the frozen query's first, round \(round)")
      stage.equal(realm.thaw(object)?.number, 10 * round, "the thawed number, round \(round)")
      stage.equal(realm.thaw(object)?.isFrozen, false, "whether the thawed object is frozen")
      stage.equal(realm.thaw(object)?.realm, realm, "the realm of the thawed object")
      stage.equal(realm.thaw(frozenTexts)?.count, texts.count, "the thawed texts")
      stage.equal(realm.thaw(frozenTexts)?.isFrozen, false, "whether the thawed texts are frozen")
      stage.equal(realm.thaw(frozenAll)?.first?.number, 10 * round, "the thawed query's first")
      stage.equal(realm.thaw(frozenLinks)?.count, links.count, "the thawed links")
      stage.equal(realm.thaw(frozenGroup)?.count, group.count, "the thawed set")
      stage.expect(realm.thaw() == realm, "the live realm, thawed, is itself")
      stage.expect(snapshot.thaw() == realm, "the frozen realm thaws to the one that is open")
    }
    let gone = realm.freeze(realm.vessel(2)!)
    try realm.write { realm.delete(realm.vessel(2)!) }
    stage.expect(realm.thaw(gone) == nil, "what is gone thaws to nil")
  }

  /// Each change, of a thawed object: it is committed, and the frozen one stays.
  static let thawedChanges = Probe("each change of a thawed object is a change of the live one") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try Vessel.stocked(stage)
    for change in Change.all {
      try realm.write {
        realm.deleteAll()
        Vessel.stock(realm)
        // Some kinds are about a second one of each.
        realm.vessel(2)!.part = Part(text: "second")
      }
      let frozen = realm.vessel(1)!.freeze()
      let before = frozen.dump
      let thawed = frozen.thaw()!
      realm.beginWrite()
      change.prepare(thawed)()
      let inside = realm.vessel(1)!.dump
      try realm.commitWrite()
      stage.equal(frozen.dump, before, "the frozen one beside: \(change.name)")
      stage.equal(thawed.dump, inside, "the thawed one after: \(change.name)")
      let configuration = realm.configuration
      let seen = try stage.elsewhere { try Realm(configuration: configuration).vessel(1)!.dump }
      stage.equal(seen, inside, "what others see after: \(change.name)")
    }
  }

  /// How the realm goes that things were frozen of.
  private enum Going: String, CaseIterable {
    case released = "its realm was released"
    case invalidated = "its realm was invalidated"
    case threadEnded = "its thread ended"
    case emptied = "all was deleted"
    case written = "many writes"
  }

  /// Frozen things of each kind outlive everything.
  static let survivors = Probe("frozen things of each kind stay whatever becomes of their realm") {
    stage in
    Backstage.hooks?.skipFlushes()
    let configuration = RefKinds.configuration(stage)
    for going in Going.allCases {
      var kept: [(name: String, frozen: RefKinds.Held, digest: String)] = []
      func hold(_ realm: Realm) {
        kept = all(realm).map { ($0.name, $0.held.freeze(), $0.held.digest()) }
      }
      func look(_ place: String) {
        for (name, frozen, digest) in kept {
          stage.equal(frozen.digest(), digest, "\(name) after \(going.rawValue), \(place)")
        }
      }
      switch going {
      case .threadEnded: try stage.elsewhere { hold(try RefKinds.stocked(stage)) }
      case .released: hold(try RefKinds.stocked(stage))
      default:
        let realm = try RefKinds.stocked(stage)
        hold(realm)
        switch going {
        case .invalidated: realm.invalidate()
        case .emptied: try realm.write { realm.deleteAll() }
        default: for round in 1...9 { try realm.write { RefKinds.change(realm, round) } }
        }
        look("with the realm")
      }
      look("here")
      for round in 0..<3 {
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write {
            other.deleteAll()
            RefKinds.stock(other)
            RefKinds.change(other, round)
          }
        }
      }
      look("after others' writes")
      nonisolated(unsafe) let elsewhere = look
      try stage.elsewhere { elsewhere("elsewhere") }
    }
  }

  /// Where something thaws it is of that thread's realm, and shows what that one does.
  static let thawedAnywhere = Probe("each kind thaws into the realm of the thread") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try RefKinds.stocked(stage)
    realm.autorefresh = false
    let configuration = realm.configuration
    var mark = 0
    func change() throws {
      mark += 1
      let mark = mark
      try stage.elsewhere {
        let other = try Realm(configuration: configuration)
        try other.write { RefKinds.change(other, mark) }
      }
    }
    let places = [
      "without one", "on its version", "on a newer one", "on an older one", "in a write",
    ]
    for place in places {
      realm.refresh()
      var frozen = all(realm).map { ($0.name, $0.held.freeze()) }
      try stage.elsewhere {
        var own: Realm?
        if place != "without one" {
          own = try Realm(configuration: configuration)
          use(own!.vessel(1)!.number)
        }
        switch place {
        case "on an older one":
          try change()
          // Frozen by somebody who has come along.
          frozen = try stage.elsewhere {
            all(try Realm(configuration: configuration)).map { ($0.name, $0.held.freeze()) }
          }
        case "on a newer one":
          try change()
          own!.refresh()
        case "without one": try change()
        case "in a write":
          own!.beginWrite()
          RefKinds.change(own!, 100 + mark)
        default: break
        }
        let expected = all(try own ?? Realm(configuration: configuration)).map {
          $0.held.digest()
        }
        for _ in 0..<2 {
          for (number, one) in frozen.enumerated() {
            let thawed = one.1.thaw()
            let what = "\(one.0), on a thread with a realm \(place)"
            stage.equal(thawed?.digest(), expected[number], "what is thawed: \(what)")
            stage.equal(thawed?.isFrozen(), false, "whether it is frozen: \(what)")
            stage.expect(
              thawed?.realm() == (try Realm(configuration: configuration)),
              "the thread's realm: \(what)")
            if let own { stage.expect(thawed?.realm() == own, "the realm it has: \(what)") }
          }
        }
        if place == "in a write" {
          stage.equal(own!.isInWriteTransaction, true, "whether the write goes on")
          own!.cancelWrite()
        }
      }
    }
  }

  /// A frozen realm does not move, whoever asks it to, by whichever of its values, whenever.
  static let unmoved = Probe("a frozen realm neither refreshes nor would, by anybody") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try RefKinds.stocked(stage)
    for autorefresh in [true, false] {
      realm.autorefresh = autorefresh
      let frozen = realm.freeze()
      let number = realm.vessel(1)!.number
      func look(_ moment: String) {
        let ways: [(String, Realm)] = [
          ("itself", frozen), ("an object's realm", frozen.vessel(1)!.realm!),
          ("results' realm", frozen.objects(Vessel.self).realm!),
          ("a list's realm", frozen.vessel(1)!.links.realm!), ("frozen again", frozen.freeze()),
        ]
        for (way, one) in ways {
          let what = "\(way), \(moment), autorefresh \(autorefresh)"
          stage.expect(one == frozen, "one and the same frozen realm: \(what)")
          for _ in 0..<2 {
            stage.equal(one.refresh(), false, "what a refresh answers, \(what)")
            stage.equal(one.autorefresh, false, "autorefresh, \(what)")
            // It can be turned off, which it is.
            one.autorefresh = false
          }
          stage.equal(one.isInWriteTransaction, false, "whether it writes, \(what)")
          stage.equal(one.vessel(1)?.number, number, "the number, \(what)")
        }
      }
      look("at once")
      nonisolated(unsafe) let elsewhere = look
      try stage.elsewhere { elsewhere("elsewhere") }
      DispatchQueue(label: "another").sync { elsewhere("on a queue") }
      try realm.write {
        RefKinds.change(realm, autorefresh ? 10 : 20)
        look("while the live one writes")
      }
      look("after a write")
      let configuration = realm.configuration
      try stage.elsewhere {
        let other = try Realm(configuration: configuration)
        try other.write { RefKinds.change(other, autorefresh ? 11 : 21) }
        elsewhere("where another has written")
      }
      realm.refresh()
      look("when the live one was refreshed")
      stage.equal(realm.autorefresh, autorefresh, "the live one's autorefresh")
    }
  }

  /// What is the same object, and what is equal, among live and frozen ones.
  static let sameness = Probe(
    "frozen objects of one version are equal and the same, with a key and without, embedded too"
  ) { stage in
    Backstage.hooks?.skipFlushes()
    let realm = try RefKinds.stocked(stage)
    func pairs<T: ObjectBase>(
      _ what: String, _ one: @escaping (Realm) -> T, _ other: @escaping (Realm) -> T,
      hasKey: Bool = false
    ) throws {
      let (live, again) = (one(realm), one(realm))
      let (frozen, second) = (realm.freeze(live), one(realm.freeze()))
      stage.equal(live.isSameObject(as: again), true, "whether two live \(what) are the same")
      stage.equal(live.isSameObject(as: live), true, "whether a live \(what) is the same as itself")
      stage.equal(live.isSameObject(as: nil), false, "whether a live \(what) is the same as nil")
      stage.equal(live.isSameObject(as: other(realm)), false, "whether another \(what) is the same")
      stage.equal(
        live.isSameObject(as: frozen), false, "whether a frozen one is the live one, \(what)")
      stage.equal(frozen.isSameObject(as: live), false, "whether the live one is frozen, \(what)")
      stage.equal(
        frozen.isSameObject(as: second), true, "whether frozen ones are the same, \(what)")
      stage.expect(frozen == second, "frozen ones of one version are equal, \(what)")
      stage.equal(frozen.hashValue, second.hashValue, "the hash of \(what), frozen")
      stage.equal(Set([frozen, second]).count, 1, "how many \(what) are in a set of both")
      stage.expect(frozen != other(realm.freeze()), "another frozen one is not equal, \(what)")
      stage.equal(
        try stage.elsewhere { frozen.hashValue }, second.hashValue, "the hash elsewhere, \(what)")
      try realm.write { realm.vessel(1)!.number += 1 }
      let later = realm.freeze(live)
      stage.equal(
        frozen.isSameObject(as: later), false, "whether a later one is the same, \(what)")
      if !hasKey { stage.expect(frozen != later, "that of a later version is not equal, \(what)") }
    }
    try pairs("objects with a key", { $0.vessel(1)! }, { $0.vessel(2)! }, hasKey: true)
    try pairs(
      "objects without a key", { $0.objects(Person.self).where { $0.age == 1 }[0] },
      { $0.objects(Person.self).where { $0.age == 2 }[0] })
    try pairs("embedded objects", { $0.vessel(1)!.part! }, { $0.vessel(2)!.part! })
    try pairs(
      "members of a list", { $0.vessel(1)!.links[0] }, { $0.vessel(1)!.links[1] }, hasKey: true)
    let (free, another) = (Vessel(id: 1), Vessel(id: 1))
    stage.equal(free.isSameObject(as: free), true, "whether a free object is the same as itself")
    stage.equal(free.isSameObject(as: another), false, "whether a free one is the same as another")
    stage.equal(
      free.isSameObject(as: realm.vessel(1)!), false, "whether a free one is the same as a managed")
    stage.equal(
      realm.vessel(1)!.isSameObject(as: realm.objects(Person.self)[0]), false,
      "whether an object of another class is the same")
  }
}
