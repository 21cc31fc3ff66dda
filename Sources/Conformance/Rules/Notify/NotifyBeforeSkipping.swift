import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// Right before, right behind and between writes that do not tell: of the others each listener is
  /// told what it would have been told with time between them.
  static let besideSkipped: [Probe] = Hearer.all.map { hearer in
    Probe("writes right beside one that skips \(hearer.name) are told, and that one is not") {
      stage in
      Backstage.hooks?.skipFlushes()
      // Which of the writes in one stretch of code tell.
      for course in [[true, false], [false, true], [true, false, true], [false, true, false]] {
        var isTold = false
        for first in 0..<3 {
          let told = try [true, false].map { atOnce in
            try stage.heard(by: hearer, of: course, from: first, atOnce: atOnce)
          }
          stage.equal(
            told[0], told[1],
            "what is told of writes at once, of which these tell: \(course), from \(first) on")
          isTold = isTold || !told[0].isEmpty
        }
        stage.expect(isTold, "to be told something of \(course)", observed: "nothing")
      }
    }
  }
}

extension Stage {
  /// What a listener is told of writes, one right behind the other or with time between them.
  fileprivate func heard(
    by hearer: Hearer, of course: [Bool], from first: Int, atOnce: Bool
  ) throws -> [String] {
    let realm = try stockedForHearers(specimens("\(course) \(first) \(atOnce)"))
    var told: [String] = []
    let token = hearer.listen(realm) { told.append($0) }
    try settle(of: realm)
    for (number, tells) in course.enumerated() {
      realm.beginWrite()
      Hearer.change(realm, first + number)
      try realm.commitWrite(withoutNotifying: tells ? [] : [token])
      if !atOnce { try settle(of: realm) }
    }
    try settle(of: realm)
    realm.refresh()
    token.invalidate()
    return told
  }
}
