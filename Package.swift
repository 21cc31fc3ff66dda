// swift-tools-version: 6.2
import PackageDescription

// Wiring only: one target per room. ARCHITECTURE.md draws who may import whom; HouseTests keep it so.

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

// Lets another module replace any function of the engine, and name what is private there: see Sources/Mutants.
let replaceable: [SwiftSetting] = [
  .unsafeFlags(
    ["-Xfrontend", "-enable-implicit-dynamic", "-Xfrontend", "-enable-private-imports"],
    .when(traits: ["Mutants"]))
]

// A rule is judged once in a process of its own, so that optimising the suite takes longer than all
// it could save. Nothing is timed there; the engine that it asks is optimised, and so are benchmarks.
let unoptimised: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let package = Package(
  name: "realm-bench",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "realm-bench", targets: ["realm-bench"]),
    .library(name: "ReferenceEngine", targets: ["ReferenceEngine"]),
  ],
  traits: [
    .trait(name: "Jemalloc", description: "Counts allocations, in a pass of its own; never times."),
    .trait(name: "LMDB", description: "Benchmarks LMDB beside the engine."),
    .trait(name: "SQLite", description: "Benchmarks SQLite beside the engine."),
    .trait(
      name: "Mutants",
      description: "Engines that are wrong on purpose, for the self-test; see 'make self-test'."),
    .trait(
      name: "RealmSwift", description: "Puts RealmSwift into the socket. For a Mac; untried."),
    .trait(
      name: "RealmCore",
      description: "Puts realm-core into the socket: a library of yours, opened at run time."),
    .default(enabledTraits: ["Jemalloc", "LMDB", "SQLite"]),
  ],
  dependencies: [
    // Neither resolved nor fetched unless the trait asks for it: this package builds offline.
    .package(url: "https://github.com/realm/realm-swift.git", from: "10.54.6")
  ],
  targets: [
    // The door.
    .executableTarget(
      name: "realm-bench",
      dependencies: [
        "Conformance", "Benchmarks", "Reporting", "StandIns", "Mutants", "Evidence", "Harness",
        "ReferenceEngine",
      ],
      swiftSettings: strict),

    // The suites, and what they stand on.
    .target(
      name: "Conformance",
      // The engine, too, although only its socket is imported: else a change of what it inlines into models reaches no build
      // that is there already.
      dependencies: ["EngineUnderTest", "ReferenceEngine", "Harness", "Evidence"],
      swiftSettings: strict + unoptimised),
    .target(
      name: "Benchmarks",
      dependencies: [
        "EngineUnderTest", "ReferenceEngine", "Harness", "Evidence", "CShims", "CFlushes",
        "CSampler",
        .target(name: "CLMDB", condition: .when(traits: ["LMDB"])),
        .target(name: "CSQLite", condition: .when(traits: ["SQLite"])),
      ],
      swiftSettings: strict),
    .target(
      name: "Harness",
      dependencies: [
        "CShims", .target(name: "CJemalloc", condition: .when(traits: ["Jemalloc"])),
      ],
      swiftSettings: strict),
    .target(name: "Evidence", swiftSettings: strict),
    .target(name: "Reporting", dependencies: ["Evidence"], swiftSettings: strict),

    // The engine, the socket it is plugged into, and its understudies.
    .target(
      name: "EngineUnderTest",
      dependencies: [
        "ReferenceEngine", "RealmCore",
        .product(
          name: "RealmSwift", package: "realm-swift", condition: .when(traits: ["RealmSwift"])),
      ],
      swiftSettings: strict),
    .target(
      name: "ReferenceEngine", dependencies: ["CShims"], swiftSettings: strict + replaceable),
    // Realm's own engine behind the same interface; nothing of it is in this package.
    .target(name: "RealmCore", dependencies: ["CRealmCore", "CShims"], swiftSettings: strict),
    .target(
      name: "StandIns", dependencies: ["ReferenceEngine", "Harness", "CShims"],
      swiftSettings: strict),
    .target(
      name: "Mutants", dependencies: ["ReferenceEngine", "StandIns", "Harness", "CShims"],
      swiftSettings: strict),

    // The cellar: C, nothing else.
    .target(name: "CShims"),
    // realm-core's functions as we call them, found by name in a library at run time.
    .target(name: "CRealmCore", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    // Replaces fsync and its like to count them; apart, so that the engine's library never carries it.
    .target(name: "CFlushes"),
    // Takes stacks by signals where there is no perf; apart for the same reason.
    .target(name: "CSampler"),
    .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    // Headers only: linking jemalloc would replace malloc under every timed run. The counting pass preloads it.
    .systemLibrary(name: "CJemalloc", providers: [.apt(["libjemalloc-dev"])]),

    // The tests, one target for each room.
    .testTarget(
      name: "ReferenceEngineTests", dependencies: ["ReferenceEngine", "StandIns", "CShims"],
      swiftSettings: strict),
    .testTarget(
      name: "ConformanceTests",
      dependencies: ["Conformance", "Harness", "Evidence", "Mutants", "Reporting"],
      swiftSettings: strict),
    .testTarget(
      name: "BenchmarksTests", dependencies: ["Benchmarks", "Evidence", "Harness"],
      swiftSettings: strict),
    .testTarget(name: "RealmCoreTests", dependencies: ["RealmCore"], swiftSettings: strict),
    .testTarget(name: "EvidenceTests", dependencies: ["Evidence"], swiftSettings: strict),
    .testTarget(
      name: "ReportingTests", dependencies: ["Reporting", "Evidence"], swiftSettings: strict),
    .testTarget(name: "HarnessTests", dependencies: ["Harness"], swiftSettings: strict),
    .testTarget(
      name: "CommandTests", dependencies: ["realm-bench", "Harness"], swiftSettings: strict),
    .testTarget(name: "HouseTests", swiftSettings: strict),
  ]
)

// A sanitizer looks at the engine and its tests; to instrument the rest takes longer than all its tests do. See `scripts/tsan`.
if Context.environment["ENGINE_ONLY"] != nil {
  let kept: Set = [
    "CShims", "CJemalloc", "Harness", "ReferenceEngine", "StandIns", "Mutants",
    "ReferenceEngineTests", "HarnessTests",
  ]
  package.targets.removeAll { !kept.contains($0.name) }
  package.products = []
  package.dependencies = []
}
