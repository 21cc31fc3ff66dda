import EngineUnderTest
import Harness
import Synchronization

// What actors do: they write, resolve what is sent to them, and are told of what changes.
extension WideRun {
  private struct Unwanted: Error {}

  /// How an actor's write ends.
  private enum Ending: Int, CaseIterable {
    case whole, answering, thrown, committedInside, begunAnew, cancelledInside, cancelledBefore
    case several, plain
  }

  /// Waits here for what an actor does; nobody else does anything meanwhile.
  private func acted(
    by player: Keeper,
    _ body: @escaping @Sendable (isolated Keeper, Realm) async throws -> String?
  ) -> String? {
    let said = Mutex<String?>(nil)
    let end = Latch("an actor")
    Task.detached {
      var complaint: String?
      do { complaint = try await player.run(body) } catch {
        complaint = "on an actor it threw: \(error)"
      }
      said.withLock { [complaint] in $0 = complaint }
      end.open()
    }
    return end.wait(patience) ? said.withLock { $0 } : "an actor that reads or writes does not end"
  }

  /// The two actors, which open the file now if they have not yet.
  private func cast() -> (writer: Keeper, listener: Keeper)? {
    if let players { return players }
    let configuration = configuration
    let made = Mutex<(Keeper, Keeper)?>(nil)
    let end = Latch("two actors")
    Task.detached {
      if let one = try? await Keeper(configuration), let other = try? await Keeper(configuration) {
        made.withLock { $0 = (one, other) }
      }
      end.open()
    }
    guard end.wait(patience), let (writer, listener) = made.withLock({ $0 }) else { return nil }
    players = (writer, listener)
    return players
  }

  /// Ends what listens on an actor, and closes the actors' realms.
  func dismissPlayers() {
    guard let players else { return }
    nonisolated(unsafe) let run = self
    let complaint =
      acted(by: players.listener) { player, _ in
        for mirror in run.mirrorsOnActor { mirror.end() }
        run.mirrorsOnActor = []
        player.close()
        return nil
      }
      ?? acted(by: players.writer) { player, _ in
        player.close()
        return nil
      }
    walked = walked ?? complaint
    self.players = nil
  }

  // MARK: Writing

  func perform(_ act: WideProgram.Act) -> String? {
    guard let players = cast() else { return "an actor does not open the file" }
    nonisolated(unsafe) let run = self
    let complaint = acted(by: players.writer) { player, realm in
      try await run.perform(act, player, realm)
    }
    return complaint ?? attendedOnActor()
  }

  private func perform(
    _ act: WideProgram.Act, _ player: isolated Keeper, _ realm: Realm
  ) async throws -> String? {
    let ending = Ending.allCases[act.member / 7 % Ending.allCases.count]
    var dice = SplitMix(seed: UInt64(act.salt))
    if let letter = letters.first, !letter.isOfWrite, act.value % 3 != 0 {
      letters.removeFirst()
      await realm.asyncRefresh()
      let reader = Reader(name: "a realm on an actor", realm: realm, state: newest)
      let complaint = received(letter, letter.parcel.resolve(in: realm), reader, &dice)
      if let complaint { return "on an actor, \(complaint)" }
    }
    if let complaint = try await write(ending, act, player, realm) {
      return "\(complaint), where an actor's write is \(ending)"
    }
    if realm.isInWriteTransaction { return "an actor's write that is \(ending) is still open" }
    if realm.isPerformingAsynchronousWriteOperations {
      return "an actor's write that is \(ending) is still under way"
    }
    // Where nothing was written it need not have come to what others have.
    await realm.asyncRefresh()
    let reader = Reader(name: "a realm on an actor", realm: realm, state: newest)
    return difference(of: reader, questions: 1, &dice).map { "after a write, \(ending): \($0)" }
  }

  private func write(
    _ ending: Ending, _ act: WideProgram.Act, _ player: isolated Keeper, _ realm: Realm
  ) async throws -> String? {
    let change = act.asChange(0)
    switch ending {
    case .whole: try await realm.asyncWrite { play(change, realm) }
    case .answering:
      let births = try await realm.asyncWrite {
        play(change, realm)
        return Array(realm.objects(ByText.self))
      }
      let found = births.map(\.birth).sorted()
      let right = newest.births(of: .byText).sorted()
      if found != right { return "asyncWrite gives rows \(found), not \(right)" }
    case .thrown:
      do {
        try await realm.asyncWrite {
          rehearse(change, realm)
          throw Unwanted()
        }
        return "asyncWrite does not throw what its block does"
      } catch is Unwanted {}
    case .committedInside:
      try await realm.asyncWrite {
        play(change, realm)
        try realm.commitWrite()
      }
    case .begunAnew:
      try await realm.asyncWrite {
        play(change, realm)
        try realm.commitWrite()
        realm.beginWrite()
        play(act.asChange(1), realm)
      }
    case .cancelledInside:
      try await realm.asyncWrite {
        rehearse(change, realm)
        realm.cancelWrite()
      }
    case .cancelledBefore, .several:
      nonisolated(unsafe) let (run, realm) = (self, realm)
      func begin(_ change: WideProgram.Act, behind gate: Bool) -> Task<Void, any Error> {
        Task {
          _ = player
          while gate, !Task.isCancelled { await Task.yield() }
          try await realm.asyncWrite { run.play(change, realm) }
        }
      }
      if ending == .cancelledBefore {
        let task = begin(change, behind: true)
        task.cancel()
        guard case .failure(let error) = await task.result, error is CancellationError else {
          return "asyncWrite of a cancelled task does not say that it is"
        }
      } else {
        let tasks = (0..<3).map { begin(act.asChange($0), behind: false) }
        for task in tasks { try await task.value }
      }
    case .plain: try realm.write { play(change, realm) }
    }
    return nil
  }

  /// A change of the writing actor, in its write, which is to be committed. The model is there
  /// at once: nobody but other writes of the actor looks before it is.
  private func play(_ change: WideProgram.Act, _ realm: Realm) {
    rehearse(change, realm, cancels: false)
    newest = playing
    touched.commit()
  }

  /// The same in one of which nothing is to come.
  private func rehearse(_ change: WideProgram.Act, _ realm: Realm, cancels: Bool = true) {
    var reader = Reader(name: "a realm on an actor", realm: realm, state: newest)
    self.change(change, by: &reader)
    playing = reader.state
    if cancels { touched.cancel() }
  }

  // MARK: Listening

  /// Listens on the one actor to what the other one has, and waits until it has begun.
  func attend(_ act: WideProgram.Act) -> String? {
    guard let players = cast() else { return "an actor does not open the file" }
    if let complaint = attendedOnActor() { return complaint }
    nonisolated(unsafe) let run = self
    let made = Mutex<Smuggling<any Mirror>?>(nil)
    let complaint = acted(by: players.writer) { player, realm in
      await realm.asyncRefresh()
      let finder = Finder(realm: realm, state: run.newest)
      guard let mirror = run.mirror(act, finder, withSections: false) else { return nil }
      await mirror.listen(on: players.listener, isolation: player)
      let handed = Smuggling(mirror)
      made.withLock { $0 = handed }
      return nil
    }
    if let complaint { return complaint }
    guard let mirror = made.withLock({ $0 }) else { return nil }
    let limit = ContinuousClock.now + patience
    return acted(by: players.listener) { _, realm in
      if run.mirrorsOnActor.count == WideRun.mostMirrors { run.mirrorsOnActor.removeFirst().end() }
      run.mirrorsOnActor.append(mirror.value)
      while !mirror.value.hasBegun {
        if ContinuousClock.now > limit { return "a listener on an actor is not called" }
        // Nobody announces a first call, so it is looked for; the order of nothing depends on it.
        try await Task.sleep(for: .milliseconds(1))
      }
      return nil
    }
  }

  /// Asks all that listens on an actor, whose realm comes to the newest version.
  func attendedOnActor() -> String? {
    guard let players else { return nil }
    nonisolated(unsafe) let run = self
    return acted(by: players.listener) { _, realm in
      await realm.asyncRefresh()
      let finder = Finder(realm: realm, state: run.newest)
      for mirror in run.mirrorsOnActor where mirror.hasBegun {
        run.comparisons += 1
        if let complaint = mirror.complaint(finder, run.touched.forActor) {
          return "on an actor, \(complaint)"
        }
      }
      run.touched.forgetOnActor()
      return nil
    }
  }
}
