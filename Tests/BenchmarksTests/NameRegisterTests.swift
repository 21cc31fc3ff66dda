import Evidence
import Foundation
import Testing

@testable import Benchmarks

/// Names of benchmarks are what histories go by.
struct BenchmarkNameRegisterTests {
  @Test func `no benchmark's name is given to another, and none vanishes without a word`() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../docs/names.txt").standardizedFileURL
    var register = NameRegister(try String(contentsOf: file, encoding: .utf8))
    let all = Catalogue.all.map { (name: $0.name, wording: $0.sentence) }
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" {
      register.learn(all, of: "benchmark")
      try register.text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(register.objections(to: Dictionary(uniqueKeysWithValues: all), of: "benchmark") == [])
    for heir in Successors.all { #expect(register["benchmark", heir.key] != nil, "\(heir)") }
  }
}
