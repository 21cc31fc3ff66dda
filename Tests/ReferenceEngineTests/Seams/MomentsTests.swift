import Foundation
import Testing

@testable import ReferenceEngine

struct MomentsTests {
  @Test func `all moments are those that have a name`() throws {
    let source = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../../Sources/ReferenceEngine/Seams/Moments.swift")
      .standardizedFileURL
    let named = try String(contentsOf: source, encoding: .utf8).matches(of: /Moment\("(\w+)"\)/)
      .map { String($0.output.1) }
    #expect(!named.isEmpty)
    #expect(Moment.all.map(\.name).sorted() == named.sorted())
  }
}
