import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Writes into the files that it is told, one after the other.
  private static let writerOfFiles: Body = { stage in
    while let line = stage.hear() {
      let words = line.split(separator: " ").map(String.init)
      let realm = try stage.open(words[0])
      try realm.write { realm.account(1).balance = Int(words[1])! }
      stage.tell("written")
    }
  }

  /// A home that opens one file after the other, and turns in between: of each it hears what other
  /// processes commit, and of the first ones, too.
  static let homesOfFiles: [Probe] = RealmHome.Kind.allCases.flatMap { kind in
    ["results", "a realm", "an object", "nothing"].map { homeOfFiles(kind, $0, isAtOnce: false) }
  }

  /// A home that opens several in one turn.
  static let homesOfFilesAtOnce: [Probe] = RealmHome.Kind.allCases.flatMap { kind in
    ["results", "nothing"].map { homeOfFiles(kind, $0, isAtOnce: true) }
  }

  private static func homeOfFiles(
    _ kind: RealmHome.Kind, _ name: String, isAtOnce: Bool
  ) -> Probe {
    Probe(
      "files opened \(isAtOnce ? "in one turn" : "one after the other") on \(kind.rawValue): "
        + "each hears of other processes, " + name, companions: ["writer": writerOfFiles]
    ) { stage in
      let files = (0..<4).map { "file \($0)".replacing(" ", with: "-") }
      for file in files { try stage.elsewhere { _ = try stage.stocked(file) } }
      let writer = try stage.companion("writer", within: stage.patience * 8)
      let queue = kind == .queue ? DispatchQueue(label: "home") : nil
      func work<Value>(_ body: () throws -> Value) rethrows -> Value {
        if let queue { try queue.sync(execute: body) } else { try body() }
      }
      var realms: [Realm] = []
      var tokens: [NotificationToken] = []
      var seen = files.map { _ in 100 }
      func listen(_ place: Int) throws {
        let realm = try Realm(configuration: stage.configuration(files[place]), queue: queue)
        let account = realm.account(1)
        func look() { seen[place] = account.balance }
        realms.append(realm)
        guard name != "nothing" else { return }
        tokens.append(
          name == "a realm"
            ? realm.observe { _, _ in look() }
            : name == "results"
              ? realm.objects(Account.self).observe { _ in look() }
              : account.observe { (_: ObjectChange<Account>) in look() })
      }
      if isAtOnce { try work { for place in files.indices { try listen(place) } } }
      for place in files.indices {
        if !isAtOnce { try work { try listen(place) } }
        // Its home turns, whatever is told by then.
        for _ in 0..<3 {
          let turned = Latch("a turn of the home")
          stage.later(on: queue ?? .main) { turned.open() }
          try stage.spin(until: { turned.isOpen }, turned.name)
        }
        for known in 0...place {
          let balance = 1_000 + place * 10 + known
          writer.send("\(files[known]) \(balance)")
          stage.equal(try stage.hear(writer, "its commit"), "written", "the other process")
          try stage.spin(
            until: {
              work {
                if tokens.isEmpty { seen[known] = realms[known].account(1).balance }
                return seen[known] == balance
              }
            },
            "the commit to file \(known) of \(place + 1)")
        }
      }
      work {
        for token in tokens { token.invalidate() }
        realms = []
      }
      writer.closeInput()
      stage.equal(writer.remains().ending, .exited(0), "the end of the other process")
    }
  }
}
