import Foundation
import Testing

/// Who may import whom: ARCHITECTURE.md's list. SwiftPM lets a transitive dependency be imported,
/// so a forbidden import compiles; this test is what catches it.
let mayImport: [String: Set<String>] = [
  "realm-bench": [
    "Conformance", "Benchmarks", "Reporting", "StandIns", "Mutants", "Evidence", "Harness",
    "ReferenceEngine",
  ],
  "Conformance": ["EngineUnderTest", "Harness", "Evidence"],
  "Benchmarks": [
    "EngineUnderTest", "Harness", "Evidence", "CLMDB", "CSQLite", "CShims", "CFlushes",
    "CSampler",
  ],
  "Reporting": ["Evidence"],
  "StandIns": ["ReferenceEngine", "Harness", "CShims"],
  "Mutants": ["ReferenceEngine", "StandIns", "Harness", "CShims"],
  "EngineUnderTest": ["ReferenceEngine", "RealmCore", "RealmSwift"],
  "RealmCore": ["CRealmCore", "CShims"],
  "ReferenceEngine": ["CShims"],
  "Harness": ["CShims", "CJemalloc"],
  "Evidence": [],
]

/// The toolchain's own modules. Anything else that is not a room of ours is an outside dependency.
let toolchain: Set<String> = [
  "Foundation", "Dispatch", "Synchronization", "CoreFoundation", "Glibc", "Darwin", "Swift",
  "Builtin", "_Concurrency",
]

@Suite struct `The house` {
  @Test func `imports only what the picture draws`() throws {
    for (room, allowed) in mayImport {
      let files = House.swiftFiles(below: "Sources/\(room)")
      #expect(!files.isEmpty, "\(room) is a room without files")
      for file in files {
        for module in House.imports(of: try House.text(file)) where !toolchain.contains(module) {
          #expect(allowed.contains(module), "\(room) must not import \(module): \(file)")
        }
      }
    }
  }

  @Test func `has no room that the picture does not draw`() throws {
    let sources = House.root.appendingPathComponent("Sources")
    let cellar: Set<String> = [
      "CShims", "CFlushes", "CSampler", "CLMDB", "CSQLite", "CJemalloc", "CRealmCore",
    ]
    for room in try FileManager.default.contentsOfDirectory(atPath: sources.path) {
      #expect(mayImport[room] != nil || cellar.contains(room), "\(room) is not drawn")
    }
  }

  @Test func `sees a forbidden import in any spelling`() {
    let source = """
      import Foundation
      @testable import ReferenceEngine
      public import struct Evidence.Sample
      @_spi(Reflection) import Swift
      @_private(sourceFile: "Session.swift") import Harness
      // import Nothing
      let words = "import None"
      """
    #expect(
      House.imports(of: source) == [
        "Foundation", "ReferenceEngine", "Evidence", "Swift", "Harness",
      ])
  }

  @Test func `ends and speaks only at the door`() throws {
    for room in mayImport.keys where room != "realm-bench" {
      for file in House.swiftFiles(below: "Sources/\(room)") {
        let code = House.code(of: try House.text(file))
        for word in ["CommandLine.arguments", " print(", " exit("] {
          #expect(!code.contains(word), "\(file) uses\(word): only the door does")
        }
      }
    }
  }

  /// Of two replacements of one function the later one hides the other, and what that breaks is
  /// broken no more: a mutant that survives without anything having become better.
  @Test func `breaks each function in one place`() throws {
    var places: [String: String] = [:]
    for file in House.swiftFiles(below: "Sources/Mutants") {
      for function in House.replaced(in: try House.text(file)) {
        #expect(places[function] == nil, "\(function): \(places[function] ?? ""), \(file)")
        places[function] = file
      }
    }
    #expect(places.count > 300)
  }

  /// Within a replacement the replaced function's name means what was there before, but not in a
  /// function of its own: behind `||`, `&&` or `??`, or in a closure, it means the replacement,
  /// which calls itself until the stack ends. That looks like a broken engine that was caught.
  @Test func `calls what it replaces where that can be reached`() throws {
    for file in House.swiftFiles(below: "Sources/Mutants") {
      let lines = House.callsThatComeAgain(in: try House.text(file))
      #expect(lines.isEmpty, "\(file), lines \(lines): call it before, and use what it gave")
    }
    let source = """
      @_dynamicReplacement(for:holds(_:))
      func wrong(_ key: Int) -> Bool {
        if breaks(.one) || breaks(.two) { return holds(key) }
        if breaks(.three) || holds(key) { return true }
        if keys.contains(where: { $0 == key }) { return holds(key) }
        let known = keys.first { holds($0) }
        guard breaks(.four) else { return holds(key) }
        return breaks(.five) && other.holds(key) ? true : holds(key)
      }
      @_dynamicReplacement(for:index(of:))
      func wrongIndex(of key: Int) -> Int? {
        keys.first.map { index(where: $0) } ?? self.index(of: key)
      }
      """
    #expect(House.callsThatComeAgain(in: source) == [4, 6, 12])
  }

  @Test func `tells overloads apart, and not what parameters are called`() {
    let source = """
      extension Session {
        @_dynamicReplacement(for:object(_:key:))
        func wrong(_ type: Base.Type, key: Int) -> Base? { object(type, key: key) }

        @_dynamicReplacement(for:object(_:key:))
        func alsoWrong(_ type: Base.Type, key: String) -> Base? { object(type, key: key) }
      }

      extension Session {
        @_dynamicReplacement(for:object(_:key:))
        func eighth(
          _ kind: Base.Type, key name: String = ""
        ) -> Base? { nil }

        @_dynamicReplacement(for:version)
        var wrongVersion: Int { 1 }
      }
      """
    #expect(
      House.replaced(in: source) == [
        "Session.object(_:key:) Base.Type, Int", "Session.object(_:key:) Base.Type, String",
        "Session.object(_:key:) Base.Type, String", "Session.version",
      ])
  }

  /// What is wrong on purpose stands in Sources/Mutants; the engine is read as the definition of
  /// right.
  @Test func `keeps the engine free of what only its sabotage needs`() throws {
    let words = [
      "keeps(", "Promise", "Rulings", "rulings", "dynamicReplacement", "sibling", "moved(to:",
      "copyAll", "commitHalfway", "attachments", "usleep(", "sleep(for:",
    ]
    // Who opens a file may have to look again whether others have let go of it, which nobody tells:
    // a lock of the system ends with its process. They say at the line how often.
    let mayLookAgain = [
      "Versions/Joining.swift", "Realm/Session+Opening.swift", "Realm/LastOnes.swift",
    ]
    for file in House.swiftFiles(below: "Sources/ReferenceEngine") {
      let text = try House.text(file)
      let code = House.code(of: text)
      for word in words where word != "usleep(" || !mayLookAgain.contains(where: file.hasSuffix) {
        #expect(!code.contains(word), "\(file) holds '\(word)': it belongs into Sources/Mutants")
      }
      #expect(!text.lowercased().contains("mutant"), "\(file) speaks of mutants")
    }
  }

  /// Literals over several lines are text of its own kind: pages, programs, help.
  @Test func `has no line beyond a hundred columns`() throws {
    let folders = ["Sources", "Tests"]
    for file in folders.flatMap({ House.files(below: $0, endings: [".swift", ".c", ".h"]) }) {
      var isLiteral = false
      let lines = try House.text(file).split(separator: "\n", omittingEmptySubsequences: false)
      for (place, line) in lines.enumerated() {
        if !isLiteral, line.count > 100 {
          Issue.record("\(file):\(place + 1) has \(line.count) columns")
        }
        if line.components(separatedBy: "\"\"\"").count == 2 { isLiteral.toggle() }
      }
    }
  }

  @Test func `keeps the engine free of conditions`() throws {
    for file in House.swiftFiles(below: "Sources/ReferenceEngine") {
      let code = House.code(of: try House.text(file))
      // Which C library a platform has is no behaviour of the engine.
      for line in code.split(separator: "\n")
      where line.hasPrefix("#if") && !line.hasPrefix("#if canImport(") {
        Issue.record("\(file) holds '\(line)': the engine that is tested must be the one shipped")
      }
    }
  }
}
