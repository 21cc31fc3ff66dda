import EngineUnderTest
import Foundation
import Harness

/// What a file has been through, or who else is there, when a little of it is changed: what a
/// commit writes has to follow the change, and nothing else.
private struct Circumstance: Sendable {
  let name: String
  /// What has to be kept for as long as it lasts.
  let arrange: @Sendable (Stage, Realm) throws -> Any

  init(_ name: String, _ arrange: @escaping @Sendable (Stage, Realm) throws -> Any) {
    (self.name, self.arrange) = (name, arrange)
  }

  static let all: [Circumstance] = [
    Circumstance("in a file that was just opened") { _, _ in 0 },
    Circumstance("beside frozen versions") { _, realm in
      var held: [Realm] = []
      for round in 0..<12 {
        held.append(realm.freeze())
        try realm.write { realm.account(round * 300).balance += 1 }
      }
      return held
    },
    Circumstance("where every second object has gone") { _, realm in
      try realm.write {
        realm.delete(realm.objects(Account.self).where { $0.balance == 1 && $0.id > 100 })
      }
      return 0
    },
    Circumstance("after everything was deleted and added again") { _, realm in
      try realm.write {
        realm.deleteAll()
        Circumstance.fill(realm)
      }
      return 0
    },
    Circumstance("after a large write was cancelled") { _, realm in
      realm.beginWrite()
      for account in realm.objects(Account.self) { account.note = "not this one" }
      realm.deleteAll()
      realm.cancelWrite()
      return 0
    },
    Circumstance("beside listeners") { stage, realm in
      let all = realm.objects(Account.self)
      let tokens = [
        all.observe { _ in }, all.where { $0.balance > 0 }.observe { _ in },
        all.sorted(byKeyPath: "note").observe { _ in }, realm.observe { _, _ in },
      ]
      try stage.settle(realm)
      return tokens
    },
    Circumstance("after many commits") { _, realm in
      for round in 0..<300 { try realm.write { realm.account(round % 40).balance += 1 } }
      return 0
    },
    Circumstance("beside another file's realm and a queue's") { stage, realm in
      let queue = DispatchQueue(label: "who stays")
      let configuration = realm.configuration
      return [
        try stage.open("another"),
        try queue.sync { try Realm(configuration: configuration, queue: queue) },
      ]
    },
    Circumstance("after a commit of everything") { _, realm in
      try realm.write { for account in realm.objects(Account.self) { account.note += "!" } }
      return 0
    },
  ]

  /// How many there are, of which half can be told from the others.
  static let count = 4_000

  static func fill(_ realm: Realm) {
    for id in 0..<count {
      realm.add(
        Account(id: id, balance: id % 2, note: "account number \(id), with words of its own"))
    }
  }
}

extension Probe {
  static let smallCommits: [Probe] = [
    Probe("a small commit writes little, whatever has been and however it is made") { stage in
      Backstage.hooks?.skipFlushes()
      try stage.elsewhere {
        let realm = try stage.open("large")
        let before = Stage.bytesWritten()
        try realm.write { Circumstance.fill(realm) }
        stage.expect(
          Stage.bytesWritten() - before > 200_000, "a file of some size",
          observed: "\(Stage.bytesWritten() - before)")
      }
      for (number, circumstance) in Circumstance.all.enumerated() {
        let name = "circumstance \(number)"
        var configuration = stage.configuration(name)
        try FileManager.default.copyItem(
          at: stage.file("large"), to: configuration.fileURL!)
        configuration.objectTypes = Models.all
        let realm = try Realm(configuration: configuration)
        let kept = try circumstance.arrange(stage, realm)
        for (place, manner) in Manner.told.enumerated() where stage.isDue(place + number, of: 3) {
          let before = Stage.bytesWritten()
          let rounds = 5
          for round in 0..<rounds {
            try manner.commit(stage, realm) {
              realm.account(round * 20).balance += 2
              realm.account(round * 20 + 1).note = "another one"
            }
          }
          let perCommit = (Stage.bytesWritten() - before) / rounds
          // Some leaves with what leads to them, a record, and free space; not a tenth of the file.
          stage.expect(
            perCommit < 32_000, "a commit \(circumstance.name) that writes little: \(manner.name)",
            observed: "\(perCommit) bytes of \(stage.size(of: name))")
        }
        use(kept)
      }
    }
  ]
}
