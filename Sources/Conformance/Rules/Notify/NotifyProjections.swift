import EngineUnderTest
import Foundation
import Harness

/// What is shown of a specimen: values of its own, of what it links to and of its members.
final class SpecimenView: Projection<Specimen> {
  @Projected(\Specimen.amount) var amount
  @Projected(\Specimen.next?.word) var nextWord
  @Projected(\Specimen.next?.next?.amount) var farAmount
  @Projected(\Specimen.members.projectTo.word) var memberWords: ProjectedCollection<String>
}

extension Probe {
  /// Each projected path, changed at each of its steps.
  static let projectedPaths = Probe(
    "a projection's listener is told of what it shows, at each step of its paths, and of no more"
  ) { stage in
    let configuration = stage.specimens()
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<5 { realm.add(Specimen(id: id)) }
      realm.specimen(0)!.next = realm.specimen(1)
      realm.specimen(1)!.next = realm.specimen(2)
      realm.specimen(0)!.members.append(realm.specimen(3)!)
    }
    let view = SpecimenView(projecting: realm.specimen(0)!)
    var told: Set<String> = []
    let token = view.observe { change in
      if case .change(_, let properties) = change { told.formUnion(properties.map(\.name)) }
    }
    try stage.settle(of: realm)
    let changes: [(String, Set<String>, (Realm) -> Void)] = [
      ("its amount", ["amount"], { $0.specimen(0)!.amount += 1 }),
      ("a property it does not show", [], { $0.specimen(0)!.ratio += 1 }),
      ("the next one's word", ["nextWord"], { $0.specimen(1)!.word += "x" }),
      ("another property of the next one", [], { $0.specimen(1)!.ratio += 1 }),
      ("the amount behind the next one", ["farAmount"], { $0.specimen(2)!.amount += 1 }),
      ("the next one's link", ["farAmount"], { $0.specimen(1)!.next = $0.specimen(3) }),
      ("a member's word", ["memberWords"], { $0.specimen(3)!.word += "x" }),
      ("another member", ["memberWords"], { $0.specimen(0)!.members.append($0.specimen(4)!) }),
      ("its link", ["nextWord", "farAmount"], { $0.specimen(0)!.next = $0.specimen(2) }),
      ("somebody else's word", [], { $0.specimen(1)!.word += "x" }),
    ]
    for (name, wanted, change) in changes {
      for isForeign in [false, true] where !isForeign || !name.contains("link") {
        told = []
        if isForeign {
          try stage.elsewhere {
            let other = try Realm(configuration: configuration)
            try other.write { change(other) }
          }
          realm.refresh()
        } else {
          try realm.write { change(realm) }
        }
        try stage.settle(of: realm)
        stage.equal(told, wanted, "what is told of \(name)\(isForeign ? ", made elsewhere" : "")")
      }
    }
    token.invalidate()
  }
}
