import Testing

@testable import ReferenceEngine

extension Desk {
  /// Commits a group of the realm, whose nodes wait where others waited before.
  func writeOver() {
    let done = Bell()
    work { realm in
      for number in 0..<5 {
        realm.beginAsyncWrite {
          for age in 0..<150 {
            realm.create(Person.self, value: ["name": "over \(age)", "age": -age])
          }
          realm.commitAsyncWrite(allowGrouping: number < 4) { error in
            #expect(error == nil)
            if number == 4 { done.ring() }
          }
        }
      }
    }
    #expect(done.wait())
  }
}
