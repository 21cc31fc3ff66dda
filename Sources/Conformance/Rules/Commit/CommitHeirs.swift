import EngineUnderTest
import Foundation

/// What a commit that failed had added is nobody: also when others come under its keys, and into
/// its rows.
extension Probe {
  static let failuresHaveNoHeirs: [Probe] = [
    heirs(of: IntKeyed.self, Keyed.numbers), heirs(of: StringKeyed.self, Keyed.strings),
    heirs(of: UUIDKeyed.self, Keyed.uuids), heirs(of: ObjectIdKeyed.self, Keyed.ids),
  ]

  private static func heirs<Class: KeyedClass>(
    of type: Class.Type, _ keys: [Class.Key]
  ) -> Probe where Class.Key: Sendable {
    Probe("what a commit that failed had added is no \(type) that comes later") { stage in
      let realm = try Realm(configuration: Keyed.configuration(stage))
      var lost: [Class] = []
      var failed = false
      do {
        try Stage.withFilesLimited(to: 4 << 20) {
          try realm.write {
            lost = keys.map { Keyed.made(type, $0, "lost") }
            realm.add(lost)
            lost[0].note = String(repeating: "no room for it", count: 900_000)
          }
        }
      } catch { failed = true }
      stage.equal(failed, true, "whether the large commit failed")
      let all = [Bool](repeating: true, count: keys.count)
      stage.equal(lost.map(\.isInvalidated), all, "which of what was lost is invalidated")
      for round in ["first", "second"] {
        try realm.write {
          realm.deleteAll()
          for key in keys { realm.add(Keyed.made(type, key, round)) }
        }
        stage.equal(
          lost.map(\.isInvalidated), all,
          "which of what was lost is invalidated, after the \(round) others under its keys")
        stage.equal(
          keys.map { realm.object(ofType: type, forPrimaryKey: $0)?.note },
          keys.map { _ in Optional(round) }, "who is found under those keys")
      }
    }
  }
}
