import Foundation
import Testing

/// The floors of the engine, ground floor first. A file uses its own floor and those below.
let floors = [
  "Seams", "Nodes", "Trees", "Versions", "Schema", "View", "Objects", "Realm", "Notifications",
]

/// One storey has two folders: an object knows its realm, and a realm makes objects.
let storeys: [[String]] = [
  ["Seams"], ["Nodes"], ["Trees"], ["Versions"], ["Schema"], ["View"], ["Objects", "Realm"],
  ["Notifications"],
]

@Suite struct `The engine's floors` {
  /// The type names that a floor declares at the top level of its files.
  static func types(of floor: String) throws -> Set<String> {
    var names: Set<String> = []
    for file in House.swiftFiles(below: "Sources/ReferenceEngine/\(floor)") {
      for line in House.code(of: try House.text(file)).split(separator: "\n")
      where !line.hasPrefix(" ") {
        let words = line.split { " :<{(".contains($0) }
        guard
          let at = words.firstIndex(where: { ["struct", "class", "enum", "protocol"].contains($0) }
          ),
          at + 1 < words.count
        else { continue }
        names.insert(String(words[at + 1]))
      }
    }
    return names
  }

  @Test func `use what is below, never what is above`() throws {
    for (storey, folders) in storeys.enumerated() {
      var above: Set<String> = []
      for folder in storeys[(storey + 1)...].joined() {
        above.formUnion(try Self.types(of: folder))
      }
      for folder in folders {
        for file in House.swiftFiles(below: "Sources/ReferenceEngine/\(folder)") {
          let words = Set(
            House.code(of: try House.text(file))
              .split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
          let climbs = words.intersection(above).sorted()
          #expect(climbs.isEmpty, "\(file) uses \(climbs.joined(separator: ", ")) of a floor above")
        }
      }
    }
  }

  /// Between the two rooms of that storey is a narrow door: objects know the session behind them,
  /// the realm that users get of it, and where both come from.
  @Test func `let objects know no more of a realm than their session`() throws {
    let realms = try Self.types(of: "Realm")
    var named: Set<String> = []
    for file in House.swiftFiles(below: "Sources/ReferenceEngine/Objects") {
      let code = House.code(of: try House.text(file))
      named.formUnion(code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
    }
    #expect(realms.intersection(named) == ["Session", "Realm", "Origin"])
  }

  @Test func `hold every file of the engine`() {
    for file in House.swiftFiles(below: "Sources/ReferenceEngine") {
      let folder = file.split(separator: "/")[2]
      #expect(floors.contains(String(folder)) || folder == "Placeholder.swift", "\(file)")
    }
  }

  /// What a process was given is asked for where something is opened; all else has it from whoever
  /// opened it.
  @Test func `carry what they were opened with`() throws {
    let openers = [
      "Seams/Seams.swift", "Versions/Coordinator.swift", "Realm/Session+Opening.swift",
    ]
    for file in House.swiftFiles(below: "Sources/ReferenceEngine") {
      let uses = House.code(of: try House.text(file)).matches(of: #/Seams\.given|var given\b/#)
      let mayUse = openers.contains(where: file.hasSuffix)
      #expect(uses.count == (mayUse ? 1 : 0), "\(file) asks \(uses.count) times what was given")
    }
  }

  /// It said that each rule must catch a broken engine, and three cannot.
  @Test func `README counts rules, and those with a mutant, as docs/RULES.md does`() throws {
    let rules = try House.text("docs/RULES.md")
    let readme = try House.text("README.md").replacing("\n", with: " ")
    let all = try #require(rules.firstMatch(of: #/(\d+) rules, \d+ of them/#)?.output.1)
    let fallible = try #require(rules.firstMatch(of: #/prove that (\d+) rules can fail/#)?.output.1)
    let without = rules.matches(of: #/\n- has no mutant: /#).count
    #expect(Int(all) == Int(fallible).map { $0 + without })
    #expect(readme.contains("a conformance suite of \(all) rules, \(fallible) of which must also"))
    #expect(without == 3 && readme.contains("the other three"))
  }

  @Test func `the licence is Realm's own, and README says so`() throws {
    #expect(try House.text("LICENSE").contains("Apache License"))
    #expect(try House.text("README.md").contains("Apache License 2.0"))
  }
}
