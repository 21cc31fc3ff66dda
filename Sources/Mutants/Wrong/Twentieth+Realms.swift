#if Mutants
import Foundation
@_private(sourceFile: "Joining.swift") import ReferenceEngine
@_private(sourceFile: "OwnWrites.swift") import ReferenceEngine
@_private(sourceFile: "Registration.swift") import ReferenceEngine
@_private(sourceFile: "Relocatable+Kinds.swift") import ReferenceEngine

#if canImport(Glibc)
import Glibc
#endif

// The twentieth set: realms, their files and what goes from one to another.

extension OwnWrites {
  @_dynamicReplacement(for:moves(_:))
  private static func twentiethMoves(_ changes: [RowChange]) -> [RowChange] {
    let all = moves(changes)
    return breaks(.cancelledSuccessorsGoAlone) ? all.filter { $0.kind == .inserted } : all
  }
}

extension Session {
  @_dynamicReplacement(for:haveReplaced(_:of:between:and:))
  private func twentiethHaveReplaced(
    _ key: Int64, of table: Int, between root: Root, and snapshot: Snapshot
  ) -> Bool {
    if breaks(.thawsIntoThePastLookAhead) { return false }
    return haveReplaced(key, of: table, between: root, and: snapshot)
  }
}

extension Transfer {
  /// Arrives in a session that nobody else finds.
  func arriveApart<Thing>(
    at scheduler: any Scheduler, as _: Thing.Type, _ token: NotificationToken,
    farewell: (() -> Void)?, _ make: Registration.Make<Thing>
  ) {
    var configuration = handover.configuration
    configuration.cache = false
    guard
      let session = try? Session.open(configuration, at: scheduler, of: handover.origin.file)
    else { return }
    guard let thing = handover.found(in: session) as? Thing,
      let observer = make(thing, session, since.root)
    else {
      farewell?()
      return
    }
    session.listeners?.keep(since)
    session.listeners?.add(observer)
    if token.hold(observer) { session.listeners?.tellObservers() }
  }
}

extension Joining {
  @_dynamicReplacement(for:removeBeside(_:))
  private static func twentiethRemoveBeside(_ path: String) throws {
    if breaks(.managementGoesWithItsFile) {
      unlink(path + ".note")
      return
    }
    try removeBeside(path)
  }
}
#endif
