import EngineUnderTest
import Foundation
import Harness

/// Objects that a write refers to and that go before it ends, or with it: nobody who asks then is
/// given another one that came under their keys.
enum Referred {
  enum Means: String, CaseIterable, Sendable {
    case reference = "a reference"
    case variable = "a variable"

    /// What is asked for the object; nil if it says that it is gone.
    fileprivate func hold<Class: KeyedClass>(_ object: Class) -> (Realm) -> Class? {
      switch self {
      case .reference:
        let reference = ThreadSafeReference(to: object)
        return { $0.resolve(reference) }
      case .variable:
        let variable = ThreadSafe(wrappedValue: object)
        return { _ in variable.wrappedValue }
      }
    }
  }

  private enum Beginning: CaseIterable { case wasThere, isAdded, replacesAnother }
  private enum Course: CaseIterable { case stays, isReplaced, isReplacedWithAll }
  private enum Ending: CaseIterable { case committed, cancelled }
  private enum Place: CaseIterable { case here, elsewhere }

  /// A probe for some types of keys.
  static func probes(_ means: Means) -> [Probe] {
    [
      probe(IntKeyed.self, 7, means), probe(IntOrNoneKeyed.self, nil, means),
      probe(StringKeyed.self, "seven", means),
    ]
  }

  private static func probe<Class: KeyedClass>(
    _ type: Class.Type, _ key: Class.Key, _ means: Means
  ) -> Probe where Class.Key: Sendable {
    Probe("\(means.rawValue) made in a write is not another \(type) under its key") { stage in
      Backstage.hooks?.skipFlushes()
      let realm = try Realm(configuration: Keyed.configuration(stage))
      for beginning in Beginning.allCases {
        for course in Course.allCases {
          for ending in Ending.allCases {
            for place in Place.allCases {
              for isReplacedLater in [false, true] {
                try run(
                  type, key, means, stage, realm, beginning, course, ending, place, isReplacedLater)
              }
            }
          }
        }
      }
    }
  }

  private static func run<Class: KeyedClass>(
    _ type: Class.Type, _ key: Class.Key, _ means: Means, _ stage: Stage, _ realm: Realm,
    _ beginning: Beginning, _ course: Course, _ ending: Ending, _ place: Place,
    _ isReplacedLater: Bool
  ) throws {
    func old() -> Class? { realm.object(ofType: type, forPrimaryKey: key) }
    func replace(_ note: String) {
      if let old = old() { realm.delete(old) }
      realm.add(Keyed.made(type, key, note))
    }
    try realm.write {
      realm.deleteAll()
      if beginning == .wasThere { realm.add(Keyed.made(type, key, "old")) }
      if beginning == .replacesAnother { realm.add(Keyed.made(type, key, "older")) }
    }
    realm.beginWrite()
    if beginning != .wasThere { replace("old") }
    let find = means.hold(old()!)
    switch course {
    case .stays: break
    case .isReplaced: replace("new")
    case .isReplacedWithAll:
      realm.deleteAll()
      replace("new")
    }
    let what = "\(beginning), \(course), \(ending), asked \(place)"
    if means == .variable {
      stage.equal(find(realm)?.note, course == .stays ? "old" : nil, "in the write: \(what)")
    }
    let isThere: Bool
    switch ending {
    case .committed:
      try realm.commitWrite()
      isThere = course == .stays
    case .cancelled:
      realm.cancelWrite()
      isThere = beginning == .wasThere
    }
    if isReplacedLater { try realm.write { replace("later") } }
    let expected = isThere && !isReplacedLater ? "old" : nil
    let words = what + (isReplacedLater ? ", replaced later" : "")
    switch place {
    case .here: stage.equal(find(realm)?.note, expected, words)
    case .elsewhere:
      let configuration = realm.configuration
      let found = try stage.elsewhere {
        find(try Realm(configuration: configuration))?.note
      }
      stage.equal(found, expected, words)
    }
  }
}
