import Foundation
import Testing

@testable import ReferenceEngine

private final class SlipView: Projection<Slip> {
  @Projected(\Slip.text) var text
}

/// What is named in a running write, by each kind of reference, and looked for before and behind
/// its end by others who have the file open.
@Suite struct RunningReferenceTests {
  enum End: CaseIterable { case commit, cancel, background }
  enum Place: CaseIterable { case memory, file, apart }

  private let scratch = Scratch()

  private func configuration(_ place: Place) -> Realm.Configuration {
    if place == .memory {
      return Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [Slip.self, Dog.self])
    }
    return scratch.configuration([Slip.self, Dog.self])
  }

  /// What finds one thing of a slip in another realm, or in one of the caller's.
  private typealias Find = (Realm) -> String?

  private func refer<T: ThreadConfined>(
    _ thing: T, _ isVariable: Bool, _ say: @escaping (T) -> String?
  ) -> Find {
    if isVariable {
      let variable = ThreadSafe(wrappedValue: thing)
      return { _ in variable.wrappedValue.flatMap(say) }
    }
    let references = (0..<8).map { _ in ThreadSafeReference(to: thing) }
    var next = 0
    return { realm in
      next += 1
      return realm.resolve(references[next - 1]).flatMap(say)
    }
  }

  private func references(to slip: Slip, _ isVariable: Bool) -> [Find] {
    let view = SlipView(projecting: slip)
    return [
      refer(slip, isVariable) { $0.text },
      refer(slip.others, isVariable) { $0.first?.text },
      refer(slip.anys, isVariable) { $0.first?.stringValue },
      refer(slip.before, isVariable) { $0.first?.text },
      refer(view, isVariable) { $0.text },
    ]
  }

  private func fill(_ realm: Realm, _ id: Int, _ text: String) -> Slip {
    let slip = realm.create(Slip.self, value: ["id": id, "text": text])
    slip.others.append(slip)
    slip.anys.append(.string(text))
    slip.next = slip
    return slip
  }

  // home                             another
  // puts one in another's place
  // adds one, changes one
  //                                  looks for the three
  // ends the write
  //                                  looks again, and in its own write
  @Test(arguments: Place.allCases, End.allCases)
  func `REF-15, REF-25: what a running write names is found when it is there`(
    place: Place, end: End
  ) {
    let configuration = configuration(place)
    let desk = Desk(configuration)
    let other = place == .apart ? Desk(apart: configuration) : Desk(configuration)
    desk.commit { realm in for id in 0..<3 { _ = fill(realm, id, "old \(id)") } }
    other.work { _ = $0.refresh() }
    for isVariable in place == .apart ? [false] : [false, true] {
      desk.commit { realm in
        realm.delete(realm.objects(Slip.self))
        for id in 0..<3 { _ = fill(realm, id, "old \(id)") }
      }
      let done = Bell()
      var finds: [[Find]] = []
      desk.work { realm in
        realm.beginWrite()
        realm.delete(realm.object(ofType: Slip.self, forPrimaryKey: 1)!)
        let stays = realm.object(ofType: Slip.self, forPrimaryKey: 2)!
        finds = [fill(realm, 1, "new 1"), fill(realm, 7, "new 7"), stays].map {
          references(to: $0, isVariable)
        }
        other.work { realm in
          for find in finds[0] + finds[1] { #expect(find(realm) == nil) }
          for find in finds[2] { #expect(find(realm) == "old 2") }
        }
        switch end {
        case .commit: try! realm.commitWrite()
        case .cancel: realm.cancelWrite()
        case .background: realm.commitAsyncWrite { _ in done.ring() }
        }
      }
      if end == .background { #expect(done.wait()) }
      let expected = end == .cancel ? [nil, nil, "old 2"] : ["new 1", "new 7", "old 2"]
      func look(_ realm: Realm) {
        for (some, text) in zip(finds, expected) {
          for find in some { #expect(find(realm) == text) }
        }
      }
      other.work(look)
      // A variable is read in a realm of the thread's own.
      if !isVariable {
        other.work { realm in
          realm.beginWrite()
          look(realm)
          if let one = realm.object(ofType: Slip.self, forPrimaryKey: 7) { realm.delete(one) }
          _ = fill(realm, 7, "newer 7")
          for find in finds[1] { #expect(find(realm) == nil) }
          realm.cancelWrite()
          look(realm)
        }
      }
      desk.work(look)
      // A successor of each is none of them.
      other.commit { realm in
        realm.delete(realm.objects(Slip.self))
        for id in [1, 2, 7] { _ = fill(realm, id, "newer") }
      }
      for one in [desk, other] {
        one.work { realm in
          realm.refresh()
          for find in finds.joined() { #expect(find(realm) == nil) }
        }
      }
    }
  }
}
