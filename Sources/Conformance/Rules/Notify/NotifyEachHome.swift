import EngineUnderTest
import Foundation
import Harness

/// What is said of where and when a listener is called is said of each kind, at each home.
enum EachHome {
  /// Listeners of each kind, and each way to commit: nobody but the realm's is called inside.
  static let after: [Probe] = Manner.all.map { manner in
    Probe("own commits are told after them, of each kind: \(manner.name)") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try RefKinds.stocked(stage)
      let kinds = EachListener.all.filter { $0.name != "a realm" }
      var told: [String: Int] = [:]
      var inside: [String] = []
      var isChanging = false
      let tokens = kinds.map { kind in
        kind.listen(realm) {
          told[kind.name, default: 0] += 1
          if isChanging || realm.isInWriteTransaction { inside.append(kind.name) }
        }
      }
      try stage.settle(realm)
      for round in 1...3 {
        told = [:]
        var atItsEnd: [String: Int] = [:]
        try manner.commit(stage, realm) {
          isChanging = true
          RefKinds.change(realm, round)
          // Whatever is asked of the realm in the write tells nobody.
          use(realm.refresh())
          use(realm.objects(Vessel.self).where { $0.number == round }.count)
          atItsEnd = told
          isChanging = false
        }
        stage.equal(atItsEnd, [:], "who was told before the end of the block, round \(round)")
        try stage.settle(realm)
        stage.equal(inside, [], "who was told inside of a write, round \(round)")
        stage.equal(
          told, Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, 1) }),
          "who was told in the end, round \(round)")
      }
      for token in tokens { token.invalidate() }
    }
  }

  /// Plain commits return before anybody but the realm's listeners is told.
  static let notInside = Probe("when a commit returns nobody but a realm's listener is told") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try RefKinds.stocked(stage)
    var told: [String] = []
    let tokens = EachListener.all.map { kind in kind.listen(realm) { told.append(kind.name) } }
    try stage.settle(realm)
    for round in 1...4 {
      told = []
      switch round {
      case 1: try realm.write { RefKinds.change(realm, round) }
      case 2:
        realm.beginWrite()
        RefKinds.change(realm, round)
        stage.equal(told, [], "who is told in the write")
        try realm.commitWrite()
      case 3:
        try realm.write {
          RefKinds.change(realm, round)
          try realm.commitWrite()
          stage.equal(told, ["a realm"], "who is told when the block has committed")
        }
      default:
        realm.beginWrite()
        RefKinds.change(realm, round)
        realm.commitAsyncWrite()
      }
      stage.equal(told, ["a realm"], "who is told when commit \(round) returned")
      try stage.settle(realm)
      stage.equal(
        told.sorted(), EachListener.all.map(\.name).sorted(), "who is told of commit \(round) then")
    }
    for token in tokens { token.invalidate() }
  }

  /// Everybody is called at home, one at a time, whoever committed.
  static let atHome: [Probe] = RealmHome.Kind.allCases.map { kind in
    Probe("listeners of each kind are called one at a time, on \(kind.rawValue)") { stage in
      Backstage.hooks?.skipFlushes()
      try stage.elsewhere { _ = try RefKinds.stocked(stage) }
      let configuration = RefKinds.configuration(stage)
      let queue = DispatchQueue(label: "home")
      let key = DispatchSpecificKey<Int>()
      queue.setSpecific(key: key, value: 5)
      let home = pthread_self()
      func work<Value>(_ body: () throws -> Value) rethrows -> Value {
        kind == .queue ? try queue.sync(execute: body) : try body()
      }
      var realm: Realm!
      var tokens: [NotificationToken] = []
      var (inside, most, strangers) = (0, 0, [String]())
      var told: [String: Int] = [:]
      let names = EachListener.all.map(\.name)
      try work {
        realm = try Realm(configuration: configuration, queue: kind == .queue ? queue : nil)
        tokens = EachListener.all.map { one in
          one.listen(realm) {
            inside += 1
            most = max(most, inside)
            let isHome =
              kind == .queue
              ? DispatchQueue.getSpecific(key: key) == 5
              : pthread_equal(home, pthread_self()) != 0
            if !isHome { strangers.append(one.name) }
            told[one.name, default: 0] += 1
            // What is done in a call calls nobody in the middle of it.
            use(realm.refresh())
            use(realm.vessel(1)?.number)
            inside -= 1
          }
        }
      }
      func heard(_ number: Int) throws {
        try stage.spin(
          until: { work { names.allSatisfy { told[$0, default: 0] >= number } } },
          "call \(number) of everybody")
      }
      // What is written before the first calls may be in these.
      var isReady = false
      let fence = work {
        realm.objects(Todo.self).observe { _ in isReady = true }
      }
      try stage.spin(until: { work { isReady } }, "the first calls")
      for number in 1...3 {
        if number == 2 {
          try work { try realm.write { RefKinds.change(realm, number) } }
        } else {
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            try other.write { RefKinds.change(other, number) }
          }
        }
        try heard(number)
      }
      work {
        stage.equal(most, 1, "how many ran at once")
        stage.equal(strangers, [], "who was called elsewhere")
        for token in tokens + [fence] { token.invalidate() }
        realm = nil
      }
    }
  }

  /// Collections that are objects come as those that are listened to.
  static let instances = Probe("each call brings the very list, set or map") {
    stage in
    Backstage.hooks?.skipFlushes()
    let realm = try RefKinds.stocked(stage)
    let configuration = realm.configuration
    let vessel = realm.vessel(1)!
    var same: [String: [Bool]] = [:]
    var tokens: [NotificationToken] = []
    func listen<Members: RealmCollection & AnyObject>(_ name: String, _ members: Members) {
      for number in 1...2 {
        tokens.append(
          members.observe { change in
            switch change {
            case .initial(let now), .update(let now, _, _, _):
              same["\(name) \(number)", default: []].append(now === members)
            case .error: same["\(name) \(number)", default: []].append(false)
            }
          })
      }
    }
    listen("a list of objects", vessel.links)
    listen("a list of texts", vessel.texts)
    listen("a list of embedded objects", vessel.parts)
    listen("a set of objects", vessel.group)
    listen("a set of texts", vessel.labels)
    func listen<Value: RealmCollectionValue>(_ name: String, _ map: Map<String, Value>) {
      tokens.append(
        map.observe { change in
          switch change {
          case .initial(let now), .update(let now, _, _, _):
            same[name, default: []].append(now === map)
          case .error: same[name, default: []].append(false)
          }
        })
    }
    listen("a map of texts", vessel.titles)
    listen("a map of objects", vessel.named)
    try stage.settle(realm)
    for round in 1...4 {
      if round % 2 == 0 {
        try realm.write { RefKinds.change(realm, round) }
      } else {
        try stage.elsewhere {
          let other = try Realm(configuration: configuration)
          try other.write { RefKinds.change(other, round) }
        }
        realm.refresh()
      }
      try stage.settle(realm)
    }
    stage.equal(same.count, 12, "how many were called")
    for (name, answers) in same {
      stage.equal(
        answers, [Bool](repeating: true, count: 5), "whether each call brought it, \(name)")
    }
    for token in tokens { token.invalidate() }
  }
}
