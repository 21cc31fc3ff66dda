import EngineUnderTest

/// The loops over objects that are timed, as users write them: nothing stands between the loop and
/// the property.
///
/// A closure that is handed in for the property would cost a retain and a call, five times the read
/// itself. A test compiles this file by itself and looks at the machine code of its loops.
enum ObjectLoops {
  /// Adds up the ages of `count` objects in turn, beginning with one of them.
  @inline(never)
  static func ages(_ people: [Person], _ count: Int, from start: Int) -> UInt64 {
    var sum: UInt64 = 0
    var at = start
    for _ in 0..<count {
      sum &+= UInt64(truncatingIfNeeded: people[at].age)
      at &+= 1
      if at == people.count { at = 0 }
    }
    return sum
  }

  /// Adds up the lengths of the names of `count` objects in turn.
  @inline(never)
  static func nameLengths(_ people: [Person], _ count: Int) -> UInt64 {
    var sum: UInt64 = 0
    var at = 0
    for _ in 0..<count {
      sum &+= UInt64(truncatingIfNeeded: people[at].name.utf8.count)
      at &+= 1
      if at == people.count { at = 0 }
    }
    return sum
  }

  /// Adds up all ages by `forEach`.
  @inline(never)
  static func eachAge(_ people: Results<Person>) -> Int {
    var sum = 0
    // forEach itself is what is asked here.
    // swift-format-ignore: ReplaceForEachWithForLoop
    people.forEach { sum &+= $0.age }
    return sum
  }

  /// Adds up all ages in a loop.
  @inline(never)
  static func walkedAges(_ people: Results<Person>) -> Int {
    var sum = 0
    for person in people { sum &+= person.age }
    return sum
  }

  /// Adds up all ages in a loop that keeps each object until the next: every one of them has to be
  /// made.
  @inline(never)
  static func keptAges(_ people: Results<Person>, _ kept: inout Person?) -> Int {
    var sum = 0
    for person in people {
      sum &+= person.age
      kept = person
    }
    return sum
  }
}
