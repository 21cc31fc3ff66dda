import EngineUnderTest
import Foundation
import Harness

/// Observations that a cancelled task asks for, of each kind: there is a token, and nothing else.
enum ActorCancelled {
  static let probe = Probe.task("a cancelled task registers nothing, whatever it observes") {
    stage in
    Backstage.hooks?.skipFlushes()
    try stage.elsewhere { _ = try RefKinds.stocked(stage) }
    let keeper = try await Keeper(RefKinds.configuration(stage))
    let listener = try await Keeper(RefKinds.configuration(stage))
    let told = Stamps()
    for (number, name) in names.enumerated() {
      for toItself in [false, true] {
        let home = toItself ? keeper : listener
        let tokens = Task {
          while !Task.isCancelled { await Task.yield() }
          return await keeper.run { _, realm in
            // Asked twice, it is cancelled twice.
            [
              await observe(number, realm, home) { told.mark("\(name), called") },
              await observe(number, realm, home) { told.mark("\(name), called") },
            ]
          }
        }
        tokens.cancel()
        for token in await tokens.value {
          for _ in 0..<2 {
            stage.equal(token.invalidate(), false, "the answer of the token of \(name)")
          }
        }
        let what = "\(name), on \(toItself ? "its own" : "another") actor"
        // Whoever listens behind them, and is not cancelled, is told.
        let (ready, fenced) = (Latch("the first call beside \(what)"), Latch("a call, \(what)"))
        let fence = await keeper.run { _, realm in
          await realm.objects(Vessel.self).observe(on: home) { _, change in
            if case .update = change { fenced.open() } else { ready.open() }
          }
        }
        try await stage.arrival(of: ready)
        let mark = 2 * number + (toItself ? 1 : 2)
        try await keeper.run { _, realm in
          try await realm.asyncWrite { RefKinds.change(realm, mark) }
        }
        try await stage.arrival(of: fenced)
        await home.with { _, _ in }
        stage.expect(told.of("\(name), called") == nil, "nobody is called by \(what)")
        stage.equal(fence.invalidate(), true, "the other listener's answer, beside \(what)")
      }
    }
  }

  private static let names = [
    "an object", "an object by key paths", "results", "results by key paths", "a query", "a list",
    "a list of texts", "a set", "a map", "an embedded object",
  ]

  private static func observe(
    _ number: Int, _ realm: Realm, _ home: Keeper,
    isolation: isolated (any Actor)? = #isolation, _ told: @escaping @Sendable () -> Void
  ) async -> NotificationToken {
    let vessel = realm.vessel(1)!
    let all = realm.objects(Vessel.self)
    switch number {
    case 0: return await vessel.observe(on: home) { (_, _: ObjectChange<Vessel>) in told() }
    case 1:
      return await vessel.observe(keyPaths: ["number"], on: home) {
        (_, _: ObjectChange<Vessel>) in told()
      }
    case 2: return await all.observe(on: home) { _, _ in told() }
    case 3: return await all.observe(keyPaths: ["number"], on: home) { _, _ in told() }
    case 4: return await all.where { $0.id > 0 }.observe(on: home) { _, _ in told() }
    case 5: return await vessel.links.observe(on: home) { _, _ in told() }
    case 6: return await vessel.texts.observe(on: home) { _, _ in told() }
    case 7: return await vessel.labels.observe(on: home) { _, _ in told() }
    case 8: return await vessel.titles.observe(on: home) { _, _ in told() }
    default: return await vessel.part!.observe(on: home) { (_, _: ObjectChange<Part>) in told() }
    }
  }
}
