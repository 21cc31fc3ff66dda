import EngineUnderTest
import Foundation
import Harness

extension Stage {
  /// Asserts that nobody holds any version but the newest, of a file that nobody has open: another
  /// thread commits under the strictest limit there is. An engine that finds one more stops it.
  fileprivate func nothingIsPinned(in configuration: Realm.Configuration, _ when: String) throws {
    var limited = configuration
    limited.maximumNumberOfActiveVersions = 1
    let number = try elsewhere { [limited] () -> Int in
      let other = try Realm(configuration: limited)
      // Of the count of the commit before.
      for _ in 0..<3 {
        try other.write { other.vessel(2).maybe = (other.vessel(2).maybe ?? 0) + 1 }
      }
      return other.vessel(2).maybe ?? 0
    }
    expect(number >= 3, "three commits under a limit of one version \(when)")
  }
}

extension Probe {
  /// Plain values and copies of all sorts, kept while the realm that they are from has gone.
  static let valuesPinNothing = Probe("no plain value and no copy keeps a version") { stage in
    Backstage.hooks?.skipFlushes()
    let values: [(String, (Realm) -> Any)] = [
      (
        "a copy of an object",
        { realm in
          // One that links to nobody: what it links to it would keep.
          try? realm.write { realm.add(Vessel(id: 3)) }
          return Vessel(value: realm.vessel(3)!)
        }
      ),
      ("a copy of an embedded object", { Part(value: $0.vessel(1).parts[0]) }),
      ("an array of numbers", { Array($0.vessel(1).numbers) }),
      ("an array of texts", { $0.vessel(1).texts.map { $0 } }),
      ("a set of texts", { Set($0.vessel(1).labels) }),
      ("the keys of a map", { $0.vessel(1).titles.keys }),
      ("the values of a map", { $0.vessel(1).titles.map(\.value) }),
      ("a text", { $0.vessel(1).text }), ("data", { $0.vessel(1).data }),
      ("data of a list", { $0.vessel(1).blobs[0] }),
      ("a mixed value", { $0.vessel(1).mixture[0] }),
      ("a description", { "\($0.vessel(1)!)" }),
      ("an unmanaged list of values", { List(Array($0.vessel(1).numbers)) }),
      ("what is computed over all", { $0.objects(Vessel.self).sum(of: \.number) }),
      ("its configuration", { $0.configuration }),
      ("its schema", { $0.schema.objectSchema.map(\.className) }),
    ]
    for (place, value) in values.enumerated() {
      let configuration = Vessel.configuration(stage, "values \(place)")
      let kept = try stage.elsewhere { () -> Any in
        value.1(try Vessel.stocked(stage, "values \(place)"))
      }
      try stage.nothingIsPinned(in: configuration, "beside \(value.0)")
      use(kept)
      // Nobody has it open: it can be deleted.
      stage.equal(
        try Realm.deleteFiles(for: configuration), true, "whether the file goes beside \(value.0)")
    }
  }
}
