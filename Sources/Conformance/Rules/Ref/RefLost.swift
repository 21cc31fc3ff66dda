import EngineUnderTest
import Foundation
import Harness

/// References to what asynchronous writes made that are lost later: they lead nowhere, whoever
/// comes under the keys.
enum RefLost {
  private enum Loss: String, CaseIterable, Sendable {
    case flush = "a disk that refuses a flush"
    case room = "a disk without room"
  }

  static let probes: [Probe] = Loss.allCases.flatMap { loss in
    [
      probe(loss, IntKeyed.self, Keyed.numbers), probe(loss, IntOrNoneKeyed.self, [nil, 3]),
      probe(loss, StringKeyed.self, Keyed.strings),
      probe(loss, StringOrNoneKeyed.self, [nil, "a"]), probe(loss, UUIDKeyed.self, Keyed.uuids),
      probe(loss, UUIDOrNoneKeyed.self, [nil] + Keyed.uuids),
      probe(loss, ObjectIdKeyed.self, Keyed.ids),
      probe(loss, ObjectIdOrNoneKeyed.self, [nil] + Keyed.ids),
    ]
  }

  private static func configuration(_ stage: Stage) -> Realm.Configuration {
    var configuration = Keyed.configuration(stage)
    configuration.objectTypes = Keyed.classes + [Blob.self]
    return configuration
  }

  /// Commits asynchronously what `make` does, so that it is lost, and waits until that is told.
  private static func lose(
    _ stage: Stage, _ realm: Realm, _ loss: Loss, make: () -> Void, behind: () -> Void
  ) throws {
    var isLost: Bool?
    func commit() throws {
      realm.beginWrite()
      make()
      if loss == .room {
        realm.add(Blob(id: 1, bytes: Data(repeating: 1, count: 10_000_000)), update: .all)
      }
      realm.commitAsyncWrite { isLost = $0 != nil }
      behind()
      try stage.spin(until: { isLost != nil }, "the completion of the lost commit")
    }
    switch loss {
    case .flush:
      try stage.hooks().fail(.flushes, after: 0, times: 1)
      try commit()
      try stage.hooks().fail(.flushes, after: 0, times: 0)
    case .room:
      let path = configuration(stage).fileURL!.path
      let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
      try Stage.withFilesLimited(to: size + 65_536) { try commit() }
    }
    stage.equal(isLost, true, "whether the commit was lost")
  }

  private static func probe<Class: KeyedClass>(
    _ loss: Loss, _ type: Class.Type, _ keys: [Class.Key]
  ) -> Probe where Class.Key: Sendable {
    Probe("a reference to a lost \(type) is not the one that comes under its key: \(loss.rawValue)")
    { stage in
      if loss == .flush { try stage.hooks().record() }
      let configuration = configuration(stage)
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Blob(id: 2, bytes: Data())) }
      func there(_ references: [ThreadSafeReference<Class>], _ realm: Realm) -> [Bool] {
        references.map { realm.resolve($0) != nil }
      }
      let (fresh, bystander) = (keys.dropLast(), keys.last!)
      // What found no room is gone at once, and nobody can refer to it any more.
      for comes in ["in its own write", "elsewhere", "never"] {
        for refersBehind in loss == .flush ? [false, true] : [false] {
          try realm.write { realm.add(Keyed.made(type, bystander, "old")) }
          var references: [[ThreadSafeReference<Class>]] = []
          var named = [realm.object(ofType: type, forPrimaryKey: bystander)!]
          func refer() {
            references = (0..<4).map { _ in named.map { ThreadSafeReference(to: $0) } }
          }
          try lose(stage, realm, loss) {
            for key in fresh {
              let one = Keyed.made(type, key, "lost")
              realm.add(one)
              named.append(one)
            }
            if !refersBehind { refer() }
          } behind: {
            if refersBehind { refer() }
          }
          let what = "others come \(comes), referred to behind the commit: \(refersBehind)"
          stage.equal(
            there(references[0], realm), named.indices.map { $0 == 0 },
            "who is there after the loss, \(what)")
          func come(_ realm: Realm) throws {
            try realm.write {
              realm.delete(realm.objects(type))
              for key in keys { realm.add(Keyed.made(type, key, "later")) }
            }
          }
          switch comes {
          case "in its own write": try come(realm)
          case "elsewhere":
            try stage.elsewhere { try come(try Realm(configuration: configuration)) }
            realm.refresh()
          default: break
          }
          let left = named.indices.map { $0 == 0 && comes == "never" }
          stage.equal(there(references[1], realm), left, "who is there, \(what)")
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            stage.equal(there(references[2], other), left, "who is there elsewhere, \(what)")
            other.beginWrite()
            stage.equal(there(references[3], other), left, "who is there in a write, \(what)")
            other.cancelWrite()
          }
          let notes = keys.map { realm.object(ofType: type, forPrimaryKey: $0)?.note }
          let expected = keys.indices.map { place in
            comes != "never" ? "later" : place == keys.count - 1 ? "old" : nil
          }
          stage.equal(notes, expected, "the notes, \(what)")
          try realm.write { realm.delete(realm.objects(type)) }
        }
      }
    }
  }
}
