import EngineUnderTest
import Foundation
import Harness

/// Objects that go, and others that come under their keys, of each type of key: whoever holds an
/// old one by any means does not have the new one.
enum Revenants {
  /// What is held of an object before it goes.
  enum Means: String, CaseIterable, Sendable {
    case accessor = "an object"
    case frozen = "a frozen object, thawed"
    case reference = "a reference"
    case wrapped = "a variable that began with it"
    case assigned = "a variable that it was assigned to"
    case assignedAgain = "a variable that it was assigned to after others, and nil"

    /// Holds an object; what it returns tells whether that one is still there.
    fileprivate func hold<Class: KeyedClass>(
      _ object: Class, beside other: Class, in realm: Realm
    ) -> () -> Bool {
      switch self {
      case .accessor: return { !object.isInvalidated }
      case .frozen:
        let frozen = object.freeze()
        return { frozen.thaw() != nil }
      case .reference:
        let reference = ThreadSafeReference(to: object)
        return { realm.resolve(reference) != nil }
      case .wrapped:
        let variable = ThreadSafe(wrappedValue: object)
        return { variable.wrappedValue != nil }
      case .assigned:
        let variable = ThreadSafe(wrappedValue: other)
        variable.wrappedValue = object
        return { variable.wrappedValue != nil }
      case .assignedAgain:
        let variable = ThreadSafe<Class>(wrappedValue: nil)
        for value in [object, other, nil, object] { variable.wrappedValue = value }
        return { variable.wrappedValue != nil }
      }
    }

    /// What is used up when it is asked.
    fileprivate var isAskedOnce: Bool { self == .reference }
  }

  private enum Going: CaseIterable { case one, everySecond, allOfTheClass, allThereIs }
  private enum Coming: CaseIterable { case inTheSameWrite, inTheNextWrite, afterALook }
  private enum Way: CaseIterable { case itsOwnWrite, aRefresh, aBegin }

  /// A probe for each type of key.
  static func probes(_ means: Means) -> [Probe] {
    [
      probe(IntKeyed.self, Keyed.numbers, means),
      probe(IntOrNoneKeyed.self, Keyed.numbers + [nil], means),
      probe(StringKeyed.self, Keyed.strings, means),
      probe(StringOrNoneKeyed.self, Keyed.strings + [nil], means),
      probe(UUIDKeyed.self, Keyed.uuids, means),
      probe(UUIDOrNoneKeyed.self, Keyed.uuids + [nil], means),
      probe(ObjectIdKeyed.self, Keyed.ids, means),
      probe(ObjectIdOrNoneKeyed.self, Keyed.ids + [nil], means),
    ]
  }

  private static func probe<Class: KeyedClass>(
    _ type: Class.Type, _ keys: [Class.Key], _ means: Means
  ) -> Probe where Class.Key: Sendable {
    Probe("\(means.rawValue) is not the \(type) that comes under its key") { stage in
      Backstage.hooks?.skipFlushes()
      let configuration = Keyed.configuration(stage)
      let realm = try Realm(configuration: configuration)
      realm.autorefresh = false
      for way in Way.allCases {
        for going in Going.allCases {
          for coming in Coming.allCases {
            try realm.write {
              realm.deleteAll()
              for key in keys { realm.add(Keyed.made(type, key, "old")) }
            }
            let all = keys.map { realm.object(ofType: type, forPrimaryKey: $0)! }
            let gone = Set(
              keys.indices.filter {
                switch going {
                case .one: $0 == keys.count / 2
                case .everySecond: $0 % 2 == 0
                default: true
                }
              })
            let held = keys.indices.map {
              means.hold(all[$0], beside: all[($0 + 1) % keys.count], in: realm)
            }
            let what = "\(going), others come \(coming), by \(way)"
            func look(_ moment: String) {
              if means.isAskedOnce, moment != "in the end" { return }
              stage.equal(
                Set(keys.indices.filter { !held[$0]() }), gone, "who is gone \(moment): \(what)")
            }
            func go(_ realm: Realm) {
              switch going {
              case .allOfTheClass: realm.delete(realm.objects(type))
              case .allThereIs: realm.deleteAll()
              default:
                for place in gone.sorted() {
                  realm.delete(realm.object(ofType: type, forPrimaryKey: keys[place])!)
                }
              }
            }
            func come(_ realm: Realm) {
              for place in gone.sorted() { realm.add(Keyed.made(type, keys[place], "new")) }
            }
            func write(_ body: @escaping (Realm) -> Void) throws {
              if way == .itsOwnWrite {
                try realm.write {
                  body(realm)
                  look("in the write")
                }
              } else {
                try stage.elsewhere {
                  let other = try Realm(configuration: configuration)
                  try other.write { body(other) }
                }
              }
            }
            func step() {
              switch way {
              case .itsOwnWrite: break
              case .aRefresh: realm.refresh()
              case .aBegin:
                realm.beginWrite()
                look("at the begin")
                realm.cancelWrite()
              }
              look("after the step")
            }
            switch coming {
            case .inTheSameWrite:
              try write {
                go($0)
                come($0)
              }
            case .inTheNextWrite:
              try write(go)
              try write(come)
            case .afterALook:
              try write(go)
              step()
              try write(come)
            }
            step()
            look("in the end")
            stage.equal(
              keys.map { realm.object(ofType: type, forPrimaryKey: $0)?.note },
              keys.indices.map { gone.contains($0) ? "new" : "old" }, "who is there: \(what)")
          }
        }
      }
    }
  }

  /// The same after writes that came to nothing: whoever was asked in them for what they had
  /// deleted has it again.
  static let cancelled: [Probe] = Means.allCases.flatMap { means in
    [
      cancelled(IntKeyed.self, Keyed.numbers, means),
      cancelled(IntOrNoneKeyed.self, Keyed.numbers + [nil], means),
      cancelled(StringKeyed.self, Keyed.strings, means),
      cancelled(UUIDOrNoneKeyed.self, Keyed.uuids + [nil], means),
      cancelled(ObjectIdKeyed.self, Keyed.ids, means),
    ]
  }

  private static func cancelled<Class: KeyedClass>(
    _ type: Class.Type, _ keys: [Class.Key], _ means: Means
  ) -> Probe where Class.Key: Sendable {
    Probe("\(means.rawValue) is the \(type) that a cancelled write deleted") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try Realm(configuration: Keyed.configuration(stage))
      try realm.write { for key in keys { realm.add(Keyed.made(type, key, "old")) } }
      for round in 0..<4 {
        let all = keys.map { realm.object(ofType: type, forPrimaryKey: $0)! }
        let held = keys.indices.map {
          means.hold(all[$0], beside: all[($0 + 1) % keys.count], in: realm)
        }
        realm.beginWrite()
        let found = keys.map { realm.object(ofType: type, forPrimaryKey: $0)! }
        if round % 2 == 0 {
          for object in all { realm.delete(object) }
        } else {
          realm.deleteAll()
        }
        if !means.isAskedOnce {
          stage.equal(held.map { $0() }.contains(true), false, "there in write \(round)")
        }
        if round > 1 { for key in keys { realm.add(Keyed.made(type, key, "new")) } }
        realm.cancelWrite()
        stage.equal(
          held.map { $0() }.contains(false), false, "gone when write \(round) was cancelled")
        stage.equal(all.map(\.isInvalidated).contains(true), false, "gone in round \(round)")
        stage.equal(found.map(\.note), keys.map { _ in "old" }, "found in write \(round)")
      }
    }
  }
}

extension Keyed {
  /// Looking up by a key of each type, present or not, where the realm is not at home.
  static let elsewhere: [Probe] = [
    elsewhere(IntKeyed.self, numbers), elsewhere(IntOrNoneKeyed.self, numbers + [nil]),
    elsewhere(StringKeyed.self, strings), elsewhere(StringOrNoneKeyed.self, strings + [nil]),
    elsewhere(UUIDKeyed.self, uuids), elsewhere(UUIDOrNoneKeyed.self, uuids + [nil]),
    elsewhere(ObjectIdKeyed.self, ids), elsewhere(ObjectIdOrNoneKeyed.self, ids + [nil]),
  ].flatMap(\.self)

  /// Ways to come to an object by its key.
  private enum Call: String, CaseIterable {
    case known = "one that is there"
    case unknown = "one that is not there"
    case byName = "one that is there, by the name of its class"
    case updated = "one that is updated"
  }

  private static func elsewhere<Class: KeyedClass>(
    _ type: Class.Type, _ keys: [Class.Key]
  ) -> [Probe] where Class.Key: Sendable {
    Call.allCases.map { call in
      Probe.dies("\(type): \(call.rawValue)", saying: Words.wrongThread) { stage in
        let realm = try Realm(configuration: configuration(stage))
        try realm.write { for key in keys.dropFirst() { realm.add(made(type, key, "old")) } }
        let (key, absent) = (keys.last!, keys.first!)
        func act() {
          switch call {
          case .known: use(realm.object(ofType: type, forPrimaryKey: key)?.note)
          case .unknown: use(realm.object(ofType: type, forPrimaryKey: absent) == nil)
          case .byName:
            use(realm.dynamicObject(ofType: "\(type)", forPrimaryKey: key as Any) == nil)
          case .updated: realm.add(made(type, key, "new"), update: .all)
          }
        }
        if call == .updated { realm.beginWrite() }
        // At home first: what is remembered of that must not help elsewhere.
        act()
        try stage.elsewhere { stage.act { act() } }
      }
    }
  }
}
