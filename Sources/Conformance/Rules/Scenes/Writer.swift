import EngineUnderTest

extension Probe {
  /// Another process that sets the first account's balance to 7 and says so.
  static let writer: [String: Body] = [
    "writer": { stage in
      let realm = try stage.open()
      try realm.write { realm.account(1).balance = 7 }
      stage.tell("written")
    }
  ]
}
