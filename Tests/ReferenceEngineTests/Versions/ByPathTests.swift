import Foundation
import Testing

@testable import ReferenceEngine

/// What is kept for each path and each class, beside a dictionary.
@Suite struct ByPathTests {
  @Test func `what a path has is what a dictionary would have`() {
    let seed = Wish.seed()
    var dice = Dice(seed: seed)
    var (mine, model) = (ByPath<Int>(), [PathKey: Int]())
    for round in 0..<2000 {
      let path = PathKey("/\(Int.random(in: 0..<20, using: &dice))")
      switch Int.random(in: 0..<5, using: &dice) {
      case 0: (mine[path], model[path]) = (nil, nil)
      case 1, 2: (mine[path], model[path]) = (round, round)
      case 3:
        mine.change(path, orElse: 1) { $0 += round }
        model[path, default: 1] += round
      default:
        mine.keep {
          $0 += 1
          return $0 % 5 != 0
        }
        model = model.mapValues { $0 + 1 }.filter { $0.value % 5 != 0 }
      }
      let all = Dictionary(uniqueKeysWithValues: mine.all.map { ($0.path, $0.value) })
      #expect(all == model && mine.count == model.count, "SEED=\(seed), round \(round)")
    }
  }

  @Test func `what a class has is what a dictionary would have`() {
    let seed = Wish.seed()
    var dice = Dice(seed: seed)
    let ids = (0..<40).map { ObjectIdentifier(Named(value: $0)) }
    var (mine, model) = (ByClass<Int>(), [ObjectIdentifier: Int]())
    for round in 0..<2000 {
      let id = ids.randomElement(using: &dice)!
      let value = Int.random(in: 0..<3, using: &dice) == 0 ? nil : round
      (mine[id], model[id]) = (value, value)
      let copy = mine.mapValues { $0 }
      let all = Dictionary(uniqueKeysWithValues: copy.all.map { ($0.id, $0.value) })
      #expect(all == model && mine[id] == value, "SEED=\(seed), round \(round)")
    }
  }

  private final class Named: Sendable {
    let value: Int
    init(value: Int) {
      self.value = value
      // Not given again: its address is a number here.
      _ = Unmanaged.passRetained(self)
    }
  }

  @Test func `a name that leads straight is the one that the system finds`() throws {
    let folder = Folder()
    let manager = FileManager.default
    let file = folder.path + "/a.realm"
    try Data().write(to: URL(fileURLWithPath: file))
    try manager.createSymbolicLink(atPath: folder.path + "/link.realm", withDestinationPath: file)
    try manager.createDirectory(
      atPath: folder.path + "/in", withIntermediateDirectories: true)
    try manager.createSymbolicLink(
      atPath: folder.path + "/out", withDestinationPath: folder.path)
    let ends = [
      "/a.realm", "//a.realm", "/./a.realm", "/in/../a.realm", "/link.realm", "/out/a.realm",
      "/in", "/in/", "/in/.", "/in/..", "/..", "/...", "/none.realm", "/out/none.realm",
      "/out/out/link.realm", "/.hidden", "/none/../a.realm",
    ]
    for end in ends {
      let path = folder.path + end
      let whole = realpath(path, nil).map { name in
        defer { free(name) }
        return String(cString: name)
      }
      let found = try Coordinator.canonical(path)
      if let whole { #expect(found == whole, "\(path)") }
      #expect(try Coordinator.canonical(found) == found, "\(path)")
    }
  }
}
