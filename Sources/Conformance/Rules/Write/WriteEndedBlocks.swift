import EngineUnderTest
import Foundation
import Harness

/// Blocks of `write` that have ended the write themselves, or not, and throw then.
enum EndedBlocks {
  private struct Trouble: Error { let number: Int }

  private struct End: Sendable {
    let name: String
    let isKept: Bool
    let end: @Sendable (Realm) throws -> Void
  }

  private static let ends: [End] = [
    End(name: "nothing", isKept: false) { _ in },
    End(name: "cancelWrite()", isKept: false) { $0.cancelWrite() },
    End(name: "commitWrite()", isKept: true) { try $0.commitWrite() },
    End(name: "commitWrite(withoutNotifying:)", isKept: true) {
      try $0.commitWrite(withoutNotifying: [])
    },
    End(name: "a cancel and another begin", isKept: false) { realm in
      realm.cancelWrite()
      realm.beginWrite()
      realm.account(2).balance = 9
    },
    End(name: "a commit and another begin", isKept: true) { realm in
      try realm.commitWrite()
      realm.beginWrite()
      realm.account(2).balance = 9
    },
  ]

  static let probes: [Probe] = ends.map { end in
    Probe("a block throws after \(end.name): its error comes out, and no write is open") { stage in
      let homes = ["main", "thread", "queue"]
      for home in homes {
        for names in [false, true] {
          let file = "\(home) \(names)"
          try stage.elsewhere { _ = try stage.stocked(file) }
          switch home {
          case "main": try look(stage, try stage.open(file), end, names, home)
          case "thread":
            try stage.elsewhere { try look(stage, try stage.open(file), end, names, home) }
          default:
            let queue = DispatchQueue(label: "home")
            try stage.on(queue) {
              let realm = try Realm(configuration: stage.configuration(file), queue: queue)
              try look(stage, realm, end, names, home)
            }
          }
          // The lock is free, whoever asks.
          try stage.foreign(file) { $0.account(3).balance = 8 }
          stage.equal(
            try stage.seen(file) { realm in (1...3).map { realm.account($0).balance } },
            [end.isKept ? 7 : 100, 200, 8], "the balances elsewhere, at home on \(home)")
        }
      }
    }
  }

  private static func look(
    _ stage: Stage, _ realm: Realm, _ end: End, _ names: Bool, _ home: String
  ) throws {
    func block() throws {
      realm.account(1).balance = 7
      try end.end(realm)
      throw Trouble(number: 42)
    }
    let what = "after \(end.name), at home on \(home)"
    do {
      if names {
        try realm.write(withoutNotifying: []) { try block() }
      } else {
        try realm.write { try block() }
      }
      stage.fail(expected: "the block's error \(what)", observed: "no error")
    } catch let error as Trouble {
      stage.equal(error.number, 42, "the error's number \(what)")
    }
    stage.equal(realm.isInWriteTransaction, false, "whether the realm is still writing \(what)")
    stage.equal(realm.account(1).balance, end.isKept ? 7 : 100, "the balance \(what)")
    stage.equal(realm.account(2).balance, 200, "the other balance \(what)")
  }
}
