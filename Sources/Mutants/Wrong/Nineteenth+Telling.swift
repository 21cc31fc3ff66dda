#if Mutants
@_private(sourceFile: "ChangeLog.swift") import ReferenceEngine
@_private(sourceFile: "Heap.swift") import ReferenceEngine
@_private(sourceFile: "Listeners.swift") import ReferenceEngine
@_private(sourceFile: "Mapping.swift") import ReferenceEngine
@_private(sourceFile: "Reach.swift") import ReferenceEngine

#if canImport(Glibc)
import Glibc
#endif

// The nineteenth set: listeners.

extension Listeners {
  @_dynamicReplacement(for:work(on:))
  private func nineteenthWork(on forecast: Forecast) {
    guard breaks(.realmsMayGoInAFirstSearch), forecast.isSearch else { return work(on: forecast) }
    pending = forecast
    let (tie, scheduler) = (session.tie, session.scheduler)
    worker.run {
      forecast.work()
      scheduler.run {
        guard let session = tie.session else { refuse(.invalidated) }
        session.receive(forecast)
      }
    }
  }

  /// Stops where two versions have come behind that of a step which was looked into elsewhere.
  func stopAtLateStep(_ forecast: Forecast) {
    guard breaks(.lateStepsKeepTheirVersion), pending === forecast, !forecast.isSearch,
      coordinator.newestVersion.number >= forecast.root.version.number + 2
    else { return }
    refuse(.invalidated)
  }
}

extension Reach {
  /// Goes round for ever where an object that was modified is in a circle of links.
  func goRound(_ changes: ChangeSet, in session: Session) {
    guard breaks(.circlesAreGoneRoundOnce) else { return }
    for (table, runs) in changes.tables {
      for change in runs where change.modifies {
        for key in change.keys {
          while isInCircle(RowLink(table: Int(table), key: key), session) { usleep(100_000) }
        }
      }
    }
  }

  private func isInCircle(_ row: RowLink, _ session: Session) -> Bool {
    var front: Set<RowLink> = [row]
    for _ in 0..<Reach.depth where !front.isEmpty {
      var next: Set<RowLink> = []
      for link in front { session.forEachSource(of: link) { source, _ in next.insert(source) } }
      if next.contains(row) { return true }
      front = next
    }
    return false
  }
}

extension Heap {
  @_dynamicReplacement(for:provide(for:))
  func nineteenthProvide(for runs: [Run]) throws {
    try provide(for: runs)
    GrownHere.note(disk.path, fileSize)
  }

  @_dynamicReplacement(for:growAhead())
  func nineteenthGrowAhead() {
    growAhead()
    GrownHere.note(disk.path, fileSize)
  }
}

extension ChangeLog {
  @_dynamicReplacement(for:those(from:downTo:in:))
  static func nineteenthThose(from root: Root, downTo version: VersionID, in space: NodeSpace)
    -> (logs: [ChangeLog], areAll: Bool)
  {
    if breaks(.recordsAreReadWithinTheFile), root.version > version, !root.log.isNone,
      !root.isWaiting, root.log.raw >= Mapping.of(space).knownSize,
      root.log.raw >= GrownHere.size(of: space.path)
    {
      refuse(.damaged(space.path, at: root.log.raw, "is not in the file"))
    }
    return those(from: root, downTo: version, in: space)
  }
}
#endif
