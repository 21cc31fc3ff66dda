import EngineUnderTest
import Evidence
import Harness

/// Objects that come and go under few keys, over and over, in random commits of all shapes: who
/// holds one by any means has that one, as long as the version that is shown has it, and never
/// another that came under its key.
///
/// All rules that have one ask the same; each with the means oftener that it is about.
struct Lives: Sendable {
  /// How an object is held.
  enum Means: String, CaseIterable, Sendable {
    case accessor = "an object"
    case variable = "a variable for all threads"
    case frozen = "a frozen object, thawed"
    case reference = "a reference"
  }

  private let favourite: Means

  /// What holds them: the favourite half of the time.
  var means: [Means] { Means.allCases + [favourite, favourite] }

  var probe: Probe {
    Probe("who holds an object that goes, comes and goes never has another: \(favourite.rawValue)")
    {
      stage in
      Backstage.hooks?.skipFlushes()
      for number in 0..<(stage.isDeep ? 60 : 6) {
        let seed = derivedSeed(stage.seed, "lives \(favourite.rawValue) \(number)")
        let run = try LivesRun(stage, "lives \(number)", means, seed: seed)
        if let complaint = try run.run() {
          return stage.fail(
            expected: "all that is held in program \(number) is what it was", observed: complaint)
        }
        stage.expect(run.comparisons > 20, "something is compared in program \(number)")
      }
    }
  }
}

// One for each rule that has them.
extension Lives {
  static let ofAccessors = Lives(favourite: .accessor)
  static let ofVariables = Lives(favourite: .variable)
  static let ofFrozen = Lives(favourite: .frozen)
  static let ofReferences = Lives(favourite: .reference)
}
