/// Which engine the suites see, and what it is called in reports.
package enum Engine {
  package static let name = "reference"

  /// Sets how far a commit comes before it returns; false where the engine offers no such choice.
  package static func setDurability(_ word: String, of configuration: inout Realm.Configuration)
    -> Bool
  {
    switch word {
    case "two-phase": configuration.commitProtocol = .twoPhase
    case "single-flush": configuration.commitProtocol = .singleFlush
    case "none": configuration.commitProtocol = .none
    default: return false
    }
    return true
  }
}
