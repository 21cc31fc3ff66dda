import Foundation
import Testing

/// What the compiler makes of a property read in a user's loop: machine code in which nothing is
/// counted or checked for exclusive access. A harmless edit brings those calls back, and with them
/// 25 ns a read instead of 2.
///
/// A small program in the manner of users is compiled with optimisation against the engine's module
/// beside this test, and its assembly is read: the blocks that can be run again and again, nothing
/// else.
@Suite(.enabled(if: Assembly.isPossible, "swiftc or the engine's module is not where it should be"))
struct HotLoopTests {
  private static let program = """
    import ReferenceEngine

    final class Person: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var name: String
      @Persisted var age: Int
      @Persisted var score: Double
      @Persisted var isGrown: Bool
      @Persisted var height: Int?
      @Persisted var note: String?
    }

    @inline(never) func ages(_ people: [Person]) -> Int {
      var sum = 0
      for index in people.indices { sum &+= people[index].age }
      return sum
    }

    @inline(never) func scores(_ people: [Person]) -> Double {
      var sum = 0.0
      for index in people.indices { sum += people[index].score }
      return sum
    }

    @inline(never) func grown(_ people: [Person]) -> Int {
      var count = 0
      for index in people.indices where people[index].isGrown { count &+= 1 }
      return count
    }

    @inline(never) func heights(_ people: [Person]) -> Int {
      var sum = 0
      for index in people.indices { sum &+= people[index].height ?? 1 }
      return sum
    }

    @inline(never) func eachAge(_ people: Results<Person>) -> Int {
      var sum = 0
      people.forEach { sum &+= $0.age }
      return sum
    }

    func use(_ realm: Realm, _ people: [Person]) -> Double {
      let all = realm.objects(Person.self)
      return Double(ages(people) + grown(people) + heights(people) + eachAge(all)) + scores(people)
    }
    """

  private static let assembly = Result { try Assembly(of: program) }

  /// Calls that cost what a read must not cost.
  private static let dear = [
    "swift_retain", "swift_release", "swift_beginAccess", "swift_endAccess", "swift_bridgeObject",
    "swift_getGenericMetadata", "swift_getWitnessTable", "swift_dynamicCast", "swift_once",
  ]

  @Test(arguments: ["ages", "scores", "grown", "heights", "eachAge"])
  func `a loop over objects neither counts references nor checks access`(
    function: String
  ) throws {
    let calls = try HotLoopTests.assembly.get().callsInLoops(of: function)
    let found = calls.filter { call in HotLoopTests.dear.contains { call.contains($0) } }
    #expect(found.isEmpty, "the loop of \(function) calls \(found)")
    // Through a register: a witness table or a class's own, which is a read that was not inlined.
    let indirect = calls.filter { $0.hasPrefix("*") }
    #expect(indirect.isEmpty, "the loop of \(function) calls through \(indirect)")
    // What is left are the ways out: a place that is out of date, a column that came late.
    let ours = calls.filter { $0.contains("3hot6Person") }
    #expect(ours.isEmpty, "the loop of \(function) calls the getter instead of holding it: \(ours)")
  }

  private static let suite = Result { try Assembly(ofFilesOfBenchmarks: suiteFiles) }
  private static let suiteFiles = ["Peers/People.swift", "Workloads/Objects/ObjectLoops.swift"]

  @Test(arguments: ["ages", "nameLengths", "eachAge", "walkedAges"])
  func `the loops that the benchmarks time do not count references`(function: String) throws {
    let calls = try HotLoopTests.suite.get().callsInLoops(of: "ObjectLoops.\(function)")
    // A string has to be let go, and an object that a loop was given; both are made without
    // counting.
    let allowed = [
      "nameLengths": ["swift_bridgeObject"], "walkedAges": ["swift_release"],
    ]
    let found = calls.filter { call in
      HotLoopTests.dear.contains { call.contains($0) }
        && !allowed[function, default: []].contains { call.contains($0) }
    }
    #expect(found.isEmpty, "the loop of \(function) calls \(found)")
    let indirect = calls.filter { $0.hasPrefix("*") }
    #expect(indirect.isEmpty, "the loop of \(function) calls through \(indirect)")
    let ours = calls.filter { $0.contains("3hot6Person") && !$0.contains("RLMIterator") }
    #expect(ours.isEmpty, "the loop of \(function) calls the getter instead of holding it: \(ours)")
  }
}

/// The machine code of a program, as text, by function.
private struct Assembly {
  private let lines: [Substring]

  /// Where the engine's module lies: beside this test, or where `HOT_LOOPS` says. The build with
  /// broken engines inlines nothing of the engine, so that it has to be said there.
  private static var folder: URL? {
    if let said = ProcessInfo.processInfo.environment["HOT_LOOPS"] {
      return URL(fileURLWithPath: said)
    }
    #if Mutants
    return nil
    #else
    return URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent()
    #endif
  }
  private static var modules: URL? { folder?.appendingPathComponent("Modules") }
  /// The C modules that what is compiled may import, as far as they were built.
  private static var maps: [String] {
    ["CShims", "CRealmCore"].compactMap {
      folder?.appendingPathComponent("\($0).build/module.modulemap").path
    }.filter { FileManager.default.fileExists(atPath: $0) }
  }
  private static let compiler = ProcessInfo.processInfo.environment["PATH", default: ""]
    .split(separator: ":").map { URL(fileURLWithPath: "\($0)/swiftc") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }

  static var isPossible: Bool {
    #if arch(x86_64)
    guard let module = modules?.appendingPathComponent("ReferenceEngine.swiftmodule").path else {
      return false
    }
    return compiler != nil && FileManager.default.fileExists(atPath: module)
      && !maps.isEmpty
    #else
    return false
    #endif
  }

  /// Files of the benchmarks' room, as a program of their own: as one file, because of a module
  /// compiled as a whole the functions that nobody calls would go.
  init(ofFilesOfBenchmarks files: [String]) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let room = root.appendingPathComponent("Sources/Benchmarks")
    let texts = try files.map {
      try String(contentsOf: room.appendingPathComponent($0), encoding: .utf8)
    }
    try self.init(of: texts.joined(separator: "\n"))
  }

  init(of program: String) throws {
    let scratch = FileManager.default.temporaryDirectory
      .appendingPathComponent("hot-loop-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let source = scratch.appendingPathComponent("hot.swift")
    let target = scratch.appendingPathComponent("hot.s")
    try program.write(to: source, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = Assembly.compiler
    process.arguments = [
      "-O", "-parse-as-library", "-module-name", "hot", "-I", Assembly.modules?.path ?? "",
      "-emit-assembly", source.path, "-o", target.path,
    ]
    for map in Assembly.maps {
      process.arguments?.append(contentsOf: ["-Xcc", "-fmodule-map-file=\(map)"])
    }
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let said = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw CompilerError(text: String(decoding: said, as: UTF8.self))
    }
    lines = try String(contentsOf: target, encoding: .utf8).split(separator: "\n")
  }

  struct CompilerError: Error, CustomStringConvertible {
    let text: String
    var description: String { "the program does not compile: \(text)" }
  }

  /// What is called, from blocks that lie in a loop.
  func callsInLoops(of function: String) throws -> [String] {
    let blocks = try blocks(of: function)
    return blocks.indices.filter { isInLoop($0, blocks) }.flatMap { blocks[$0].calls }
  }

  private struct Block {
    var label: String
    var calls: [String] = []
    var jumps: [String] = []
    var fallsThrough = true
  }

  private func blocks(of function: String) throws -> [Block] {
    // A function of the module: its name with its length in front, behind that of the enumeration
    // it may be in.
    let words = function.split(separator: ".").map { "\($0.count)\($0)" }
    let mark = "$s3hot" + words.joined(separator: "O")
    guard let start = lines.firstIndex(where: { $0.hasPrefix(mark) && $0.contains(":") }) else {
      throw CompilerError(text: "there is no function \(function)")
    }
    var blocks = [Block(label: "entry")]
    for line in lines[(start + 1)...] {
      if line.hasPrefix(".Lfunc_end") { break }
      if line.hasPrefix(".LBB"), let end = line.firstIndex(of: ":") {
        blocks.append(Block(label: String(line[..<end])))
        continue
      }
      let words = line.split(whereSeparator: { $0 == "\t" || $0 == " " })
      guard let verb = words.first, let operand = words.dropFirst().first else {
        if words.first.map({ $0.hasPrefix("ret") || $0 == "ud2" }) == true {
          blocks[blocks.count - 1].fallsThrough = false
        }
        continue
      }
      if verb.hasPrefix("call") {
        blocks[blocks.count - 1].calls.append(String(operand))
      } else if verb.hasPrefix("j") {
        blocks[blocks.count - 1].jumps.append(String(operand))
        if verb.hasPrefix("jmp") {
          blocks[blocks.count - 1].fallsThrough = false
          if operand.hasPrefix("*") { blocks[blocks.count - 1].jumps += switchTargets(blocks) }
        }
      }
    }
    return blocks
  }

  /// Where a function's switches lead: what its tables of jumps list, `.long .LBB7_3-.LJTI7_0`.
  private func switchTargets(_ blocks: [Block]) -> [String] {
    guard let label = blocks.first(where: { $0.label.hasPrefix(".LBB") })?.label else { return [] }
    let mark = label.prefix { $0 != "_" } + "_"
    return lines.compactMap { line in
      let word = line.drop { $0 == "\t" || $0 == " " }
      guard word.hasPrefix(".long"), let place = word.range(of: mark) else { return nil }
      return String(word[place.lowerBound...].prefix { $0 != "-" })
    }
  }

  /// Whether a block can be reached from itself.
  private func isInLoop(_ index: Int, _ blocks: [Block]) -> Bool {
    var seen: Set<Int> = []
    var next = followers(of: index, blocks)
    while let block = next.popLast() {
      if block == index { return true }
      if seen.insert(block).inserted { next += followers(of: block, blocks) }
    }
    return false
  }

  private func followers(of index: Int, _ blocks: [Block]) -> [Int] {
    var found = blocks[index].jumps.compactMap { label in blocks.firstIndex { $0.label == label } }
    if blocks[index].fallsThrough, index + 1 < blocks.count { found.append(index + 1) }
    return found
  }
}
