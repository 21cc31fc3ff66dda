import EngineUnderTest
import Foundation

/// Every form of a plain commit, such as skip listeners among them, behind asynchronous ones of the
/// same realm: when it has returned, each of those is told of.
enum Silenced {
  private enum Form: String, CaseIterable {
    case write = "write"
    case writeSkippingNobody = "write that names nobody to be skipped"
    case writeSkippingOne = "write that skips a listener"
    case writeSkippingAll = "write that skips all listeners"
    case writeOfNothing = "write of nothing that skips a listener"
    case commit = "commitWrite"
    case commitSkippingOne = "commitWrite that skips a listener"
    case commitSkippingAll = "commitWrite that skips all listeners"
    case commitInBlock = "commitWrite in write, skipping a listener"
  }

  static let probes: [Probe] = Form.allCases.map { form in
    Probe("what was committed before is told of when a plain commit returns: \(form.rawValue)") {
      stage in
      for count in [1, 2, 5] {
        for isGrouped in [false, true] {
          for isInBlock in [false, true] {
            let what = "\(count), grouped: \(isGrouped), in a block: \(isInBlock)"
            try look(stage, form, count, isGrouped, isInBlock, what)
          }
        }
      }
    }
  }

  private static func look(
    _ stage: Stage, _ form: Form, _ count: Int, _ isGrouped: Bool, _ isInBlock: Bool,
    _ what: String
  ) throws {
    let realm = try stage.stocked(what)
    var calls = 0
    let tokens = [
      realm.objects(Account.self).observe { _ in calls += 1 },
      realm.account(1).observe { (_: ObjectChange<Account>) in calls += 1 },
      realm.person("Ann").dogs.observe { _ in calls += 1 },
      realm.observe { _, _ in calls += 1 },
    ]
    try stage.settle(realm)
    var told: [Int] = []
    func commitLater(_ number: Int) {
      realm.account(1).balance = number
      realm.commitAsyncWrite(allowGrouping: isGrouped) { error in
        told.append(error == nil ? number : -1)
      }
    }
    func change() {
      realm.account(2).balance += 1
      realm.person("Ann").dogs[0].age += 1
    }
    func plain() throws {
      switch form {
      case .write: try realm.write { change() }
      case .writeSkippingNobody: try realm.write(withoutNotifying: []) { change() }
      case .writeSkippingOne: try realm.write(withoutNotifying: [tokens[0]]) { change() }
      case .writeSkippingAll: try realm.write(withoutNotifying: tokens) { change() }
      case .writeOfNothing: try realm.write(withoutNotifying: [tokens[1]]) {}
      case .commit:
        realm.beginWrite()
        change()
        try realm.commitWrite()
      case .commitSkippingOne:
        realm.beginWrite()
        change()
        try realm.commitWrite(withoutNotifying: [tokens[3]])
      case .commitSkippingAll:
        realm.beginWrite()
        change()
        try realm.commitWrite(withoutNotifying: tokens)
      case .commitInBlock:
        try realm.write {
          change()
          try realm.commitWrite(withoutNotifying: [tokens[2]])
        }
      }
    }
    func commitAll(_ numbers: Range<Int>, hasBegun: Bool) throws {
      for number in numbers {
        if !hasBegun || number > numbers.lowerBound { realm.beginWrite() }
        commitLater(number)
      }
      try plain()
      stage.equal(
        told, Array(0..<numbers.upperBound), "who was told of when it returned, of \(what)")
    }
    if isInBlock {
      var isDone = false
      realm.beginAsyncWrite {
        do { try commitAll(0..<count, hasBegun: true) } catch {
          stage.fail(expected: "a commit, of \(what)", observed: "\(error)")
        }
        isDone = true
      }
      try stage.spin(until: { isDone }, "the block")
    } else {
      try commitAll(0..<count, hasBegun: false)
      // And again, behind one of those that are known already.
      try commitAll(count..<(count + 1), hasBegun: false)
    }
    var isOver = false
    realm.writeAsync({}, onComplete: { _ in isOver = true })
    try stage.spin(until: { isOver }, "one more")
    stage.equal(told, Array(0..<told.count), "all that were told of in the end, of \(what)")
    for token in tokens { token.invalidate() }
    use(calls)
  }
}
