import EngineUnderTest

extension Probe {
  /// Members of a list are moved, and then changed in a way that moves none, with somebody else's
  /// change between: what is told makes of a copy what the list is.
  static let movedMembers = Probe("members that are moved and then assigned are told as both") {
    stage in
    let realm = try Vessel.settling(stage)
    let (vessel, other) = (realm.vessel(1)!, realm.vessel(2)!)
    let numbers = vessel.numbers
    try realm.write {
      numbers.removeAll()
      numbers.append(objectsIn: 0..<8)
    }
    var copy = Array(numbers)
    var calls = 0
    let token = numbers.observe { change in
      guard case .update(let list, let gone, let come, let modified) = change else { return }
      calls += 1
      for place in gone.reversed() { copy.remove(at: place) }
      for place in come { copy.insert(list[place], at: place) }
      for place in modified { copy[place] = list[place] }
    }
    try stage.settle(realm)
    let moves: [(String, () -> Void)] = [
      ("moved", { numbers.move(from: 1, to: 5) }), ("swapped", { numbers.swapAt(0, 6) }),
      (
        "taken out and put in",
        {
          let first = numbers.first!
          numbers.removeFirst()
          numbers.insert(first, at: 3)
        }
      ),
      ("put in", { numbers.insert(70, at: 2) }), ("taken out", { numbers.remove(at: 4) }),
    ]
    let apart = [true, false]
    for (name, move) in moves {
      for isApart in apart {
        for isBack in [false, true] {
          let what = "\(name), \(isApart ? "apart" : "at once"), \(isBack ? "after" : "before")"
          let assign = { numbers[4] += 1000 }
          let before = calls
          realm.beginWrite()
          (isBack ? assign : move)()
          if isApart { other.number += 1 }
          (isBack ? move : assign)()
          try realm.commitWrite()
          try stage.spin(until: { calls > before }, "the list's call, \(what)")
          stage.equal(copy, Array(numbers), "the copy, \(what)")
          copy = Array(numbers)
        }
      }
    }
    token.invalidate()
  }
}
