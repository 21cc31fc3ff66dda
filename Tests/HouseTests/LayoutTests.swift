import Testing

/// Where something lies in a file is said once, in `CShims/include/Layout.h`, and asserted there.
@Suite struct `The layout of nodes and headers` {
  /// What these lay out themselves is memory of the process that keeps it, and never in a file.
  private static let inMemory = ["FreePage.swift", "NodeArena.swift", "Anteroom.swift"]

  @Test func `is named wherever it is used`() throws {
    let folders = ["Nodes", "Trees", "Versions"].map { "Sources/ReferenceEngine/\($0)" }
    for file in folders.flatMap(House.swiftFiles(below:))
    where !Self.inMemory.contains(where: file.hasSuffix) {
      let code = House.code(of: try House.text(file))
      for match in code.matches(of: #/ByteOffset:\s*[0-9]+\s*[,+&)]/#) {
        Issue.record("\(file) says '\(match.0)': Layout.h has a name for it, or should have")
      }
    }
  }

  @Test func `is asserted wherever it is declared`() throws {
    let text = try House.text("Sources/CShims/include/Layout.h")
    let (asserted, named) = (text.matches(of: #/\nRB_AT\(/#), text.matches(of: #/ = offsetof\(/#))
    #expect(asserted.count >= 45 && named.count >= 40)
    for structure in text.matches(of: #/\nstruct (rb_\w+) \{/#) {
      let name = structure.1
      #expect(
        text.contains("RB_AT(\(name),") || text.contains("RB_AT(\(name), ")
          || text.contains("RB_BYTES(\(name), "),
        "nothing asserts where the parts of \(name) lie")
    }
  }

  /// C that is inlined into readers takes the same names.
  @Test func `stands in one header`() throws {
    for file in ["include/Rows.h", "include/Follow.h", "Held.c"] {
      let text = try House.text("Sources/CShims/\(file)")
      #expect(text.contains("#include \"Layout.h\""))
      for number in ["0xFFFFFF", "+ 32 +", "+ 16;", "- 4096"] {
        #expect(!text.contains(number), "\(file) says '\(number)'")
      }
    }
  }
}
