import Dispatch
import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// References into an unfinished commit, resolved where that cannot be shown: by a realm that only
/// reads, and before the realm that has sealed it hears that it is lost.
@Suite struct LostReferenceTests {
  @Test(arguments: [false, true], [false, true])
  func `REF-02, REF-25: what an unfinished or lost commit has replaced is not what it has`(
    isReadOnly: Bool, isLost: Bool
  ) async {
    await #expect(processExitsWith: .success) {
      [isReadOnly = isReadOnly as Bool, isLost = isLost as Bool] in
      let scene = LossScene()
      var configuration = scene.configuration
      configuration.readOnly = isReadOnly
      let (ended, reader) = (Bell(), Desk(configuration))
      scene.seal({ LossScene.replace($0, "new") }, ended: ended)
      let (new, kept, variable) = scene.desk.work { realm in
        let new = LossScene.keyed(realm)!
        return (
          ThreadSafeReference(to: new),
          ThreadSafeReference(to: LossScene.keyed(realm, 8)!), ThreadSafe(wrappedValue: new)
        )
      }
      func look() {
        reader.work { realm in
          // As long as it may be durable it is shown where that is possible.
          let name = isReadOnly || isLost ? nil : "new"
          #expect(realm.resolve(new)?.name == name)
          if !isReadOnly { #expect(variable.wrappedValue?.name == name) }
          if isLost { #expect(realm.resolve(kept)?.name == "kept") }
        }
      }
      if !isLost { look() }
      scene.lose(
        {
          if isLost {
            scene.other.commit { $0.create(Dog.self) }
            look()
          }
        }, ended: ended)
    }
  }
}
