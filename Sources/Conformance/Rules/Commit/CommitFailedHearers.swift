import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Of a commit that fails a listener hears nothing, and of the one behind it, by whomever, what
  /// it would have heard without.
  static let heardAfterFailures = Hearer.all.map { hearer in
    Probe("of the commit after one that failed is heard as of any other: \(hearer.name)") { stage in
      Backstage.hooks?.record()
      for failure in [Failure.noRoom, .refusedFlush] {
        if failure == .refusedFlush, Backstage.hooks == nil { continue }
        for isOurs in [true, false] {
          for step in 0..<3 {
            let told = try [nil, failure].map {
              try stage.heard(by: hearer, behind: $0, ofStep: step, isOurs: isOurs)
            }
            stage.equal(
              told[1], told[0],
              "what is told behind \(failure.rawValue) of change \(step), "
                + (isOurs ? "made here" : "made elsewhere"))
          }
        }
      }
    }
  }
}

private enum Failure: String {
  case noRoom = "a commit without room"
  case refusedFlush = "a refused flush"
}

extension Stage {
  fileprivate func heard(
    by hearer: Hearer, behind failure: Failure?, ofStep step: Int, isOurs: Bool
  ) throws -> [String] {
    let name = UUID().uuidString
    let configuration = specimens(name)
    let realm = try stockedForHearers(configuration)
    var told: [String] = []
    let token = hearer.listen(realm) { told.append($0) }
    try settle(of: realm)
    if let failure {
      expect(
        (try? fail(failure, realm, step, name)) == nil,
        "\(failure.rawValue) that throws", observed: "that it was made")
      try settle(of: realm)
      equal(told, [], "what is told of \(failure.rawValue), \(step)")
    }
    if isOurs {
      try realm.write { Hearer.change(realm, step) }
    } else {
      try elsewhere {
        let other = try Realm(configuration: configuration)
        try other.write { Hearer.change(other, step) }
      }
      realm.refresh()
    }
    try settle(of: realm)
    token.invalidate()
    return told
  }

  private func fail(
    _ failure: Failure, _ realm: Realm, _ step: Int, _ name: String
  ) throws {
    switch failure {
    case .noRoom:
      try Stage.withFilesLimited(to: size(of: name) + 65_536) {
        try realm.write {
          Hearer.change(realm, step)
          realm.specimen(2)!.bytes = Data(repeating: 1, count: 10_000_000)
        }
      }
    case .refusedFlush:
      Backstage.hooks?.fail(.flushes, after: 0, times: 1)
      defer { Backstage.hooks?.fail(.flushes, after: 0, times: 0) }
      try realm.write { Hearer.change(realm, step) }
    }
  }
}
