import EngineUnderTest
import Foundation

/// Realms that have done something to their file when they were opened: none of it keeps a version.
enum GrowOpenings {
  private static let openings:
    [(name: String, set: @Sendable (inout Realm.Configuration) -> Void)] = [
      ("has nothing to do", { _ in }),
      (
        "migrates",
        {
          $0.schemaVersion = 7
          $0.migrationBlock = { migration, _ in
            migration.enumerateObjects(ofType: "Account") { old, new in
              new?.setValue((old?.value(forKey: "balance") as? Int ?? 0) + 1, forKey: "balance")
            }
          }
        }
      ),
      (
        "migrates without a block's doing",
        {
          $0.schemaVersion = 7
          $0.migrationBlock = { _, _ in }
        }
      ),
      ("adds a class", { $0.objectTypes = Models.all + [Vessel.self, Part.self] }),
      ("compacts its file", { $0.shouldCompactOnLaunch = { _, _ in true } }),
    ]

  static let probes: [Probe] = openings.map { name, set in
    Probe("a realm that \(name) when it is opened keeps no version") { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      var configuration = stage.configuration()
      set(&configuration)
      configuration.maximumNumberOfActiveVersions = 1
      let realm = try Realm(configuration: configuration)
      var ends: [(any Error)?] = []
      for number in 1...4 {
        realm.writeAsync(
          { realm.account(2).balance = number }, onComplete: { ends.append($0) })
        try stage.spin(until: { ends.count == number }, "the end of write \(number)")
        stage.expect(
          ends[number - 1] == nil, "write \(number) within the limit",
          observed: "\(ends[number - 1].map { $0.localizedDescription } ?? "none")")
      }
      stage.equal(realm.account(2).balance, 4, "what was written")
    }
  }
}
