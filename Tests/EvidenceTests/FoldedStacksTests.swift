import Testing

@testable import Evidence

struct FoldedStacksTests {
  @Test func `are read back as they were written`() {
    var stacks = FoldedStacks()
    stacks.add(["main", "work", "inner; part"], times: 3)
    stacks.add(["main", "work"])
    stacks.add(["main", "work"])
    #expect(stacks.text == "main;work 2\nmain;work;inner, part 3\n")
    #expect(FoldedStacks(stacks.text).text == stacks.text)
    #expect(stacks.total == 5)
    #expect(stacks.hottest(1).map(\.name) == ["inner, part"])
    #expect(stacks.renamed { $0.uppercased() }.text == "MAIN;WORK 2\nMAIN;WORK;INNER, PART 3\n")
    // What is no stack adds none: a remark of the writer, a line without a count.
    #expect(FoldedStacks("# lost 7\nmain\nmain;a 2\n").text == "main;a 2\n")
  }

  @Test func `come of what perf prints`() {
    let script = """
      realm-bench  1234
      \t    55d0 $s4main5innerSiyF+0x12 (/usr/bin/realm-bench)
      \t    55c0 operator()(int) [clone .cold]+0x3 (/usr/lib/libc.so.6)
      \t  7f1200 [unknown] (/usr/lib/libswiftCore.so)
      \t  7f1300 main (/usr/bin/realm-bench)
      \t       0 [unknown] ([unknown])

      realm-bench  1235
      \t    55d0 $s4main5innerSiyF (/usr/bin/realm-bench)

      """
    let stacks = FoldedStacks(perfScript: script)
    #expect(
      stacks.text == """
        $s4main5innerSiyF 1
        main;[libswiftCore.so];operator()(int) [clone .cold];$s4main5innerSiyF 1

        """)
  }
}
