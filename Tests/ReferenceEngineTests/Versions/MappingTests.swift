import CShims
import Foundation
import Glibc
import Synchronization
import Testing

@testable import ReferenceEngine

/// What a file is mapped with.
@Suite struct MappingTests {
  /// The notes of what was looked at take a sixteenth of the file's length, of memory that is
  /// promised and not used.
  @Test func `where there is no memory for notes, opening says so`() async {
    await #expect(processExitsWith: .success) {
      let path = FileManager.default.temporaryDirectory.path + "/notes-\(getpid()).realm"
      defer { for end in ["", ".lock"] { unlink(path + end) } }
      let configuration = StorageConfiguration(location: .file(path: path))
      _ = try Coordinator(configuration)
      guard truncate(path, 1 << 33) == 0 else { throw StorageError.system("grow", path) }
      // Half of what it takes.
      let taken = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        .split(separator: "\n").first { $0.hasPrefix("VmData:") }
      let kibibytes = Int(taken?.split(separator: " ").dropLast().last ?? "") ?? 0
      let bytes = rlim_t(kibibytes << 10 + 1 << 28)
      var limit = rlimit(rlim_cur: bytes, rlim_max: rlim_t.max)
      setrlimit(__rlimit_resource_t(2), &limit)
      let error = #expect(throws: StorageError.self) { _ = try Coordinator(configuration) }
      #expect("\(error!)".contains("cannot map"))
      // Nothing is left behind that another opener stumbles over.
      limit.rlim_cur = rlim_t.max
      setrlimit(__rlimit_resource_t(2), &limit)
      _ = try Coordinator(configuration)
    }
  }

  /// Addresses end before files do: some four hundred and seventy are open then.
  @Test func `where there are no addresses for one more file, opening says how many there are`()
    async
  {
    await #expect(processExitsWith: .success) {
      let file = rb_memory_file("addresses")
      func next() throws -> Mapping {
        try Mapping(descriptor: file, path: "/one/more.realm", writable: true)
      }
      let taken = try (0..<3).map { _ in try next() }
      let size = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        .split(separator: "\n").first { $0.hasPrefix("VmSize:") }
      let kibibytes = Int(size?.split(separator: " ").dropLast().last ?? "") ?? 0
      var limit = rlimit(rlim_cur: rlim_t(kibibytes << 10 + 1 << 37), rlim_max: rlim_t.max)
      setrlimit(__rlimit_resource_t(9), &limit)
      let error = #expect(throws: StorageError.self) { _ = try next() }
      for part in [
        "cannot map /one/more.realm", "reserves 275 GiB of addresses", "has 3 open", "ulimit -v",
      ] {
        #expect("\(error!)".contains(part), "\(error!)")
      }
      limit.rlim_cur = rlim_t.max
      setrlimit(__rlimit_resource_t(9), &limit)
      _ = try next()
      withExtendedLifetime(taken) {}
    }
  }

  /// One range of addresses is kept for the next file, which is another one.
  @Test func `of a file that is closed nothing is left that the next one finds`() async {
    await #expect(processExitsWith: .success) {
      func maps() throws -> String {
        try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
      }
      let open = rb_memory_file("next")
      let descriptors = open
      close(open)
      var bases: [UnsafeMutableRawPointer] = []
      for size in [1 << 20, 1 << 24, 1 << 16] as [off_t] {
        let file = rb_memory_file("closed")
        #expect(file == descriptors)
        guard ftruncate(file, size) == 0 else { throw StorageError.system("grow", "closed") }
        let mapping = try Mapping(descriptor: file, path: "closed", writable: true)
        bases.append(mapping.base)
        for ref in stride(from: FileHeader.heapStart, to: UInt64(size - 8192), by: 4096) {
          // Neither its bytes nor what was noted of it.
          if rb_is_known_cluster(mapping.base, ref, 3) { abort() }
          if mapping.base.load(fromByteOffset: Int(ref), as: UInt64.self) != 0 { abort() }
          rb_know_cluster(mapping.base, ref, 3)
          mapping.base.storeBytes(of: 7, toByteOffset: Int(ref), as: UInt64.self)
        }
        #expect(try maps().contains("closed"))
        close(file)
        withExtendedLifetime(mapping) {}
      }
      #expect(Set(bases).count == 1)
      #expect(try !maps().contains("closed"))
      // Two at once are apart, and of both nothing is left.
      let file = rb_memory_file("closed")
      let two = try (0..<2).map { _ in
        try Mapping(descriptor: file, path: "closed", writable: true).base
      }
      #expect(two[0] == two[1])
      var pair = try (0..<2).map { _ in
        try Mapping(descriptor: file, path: "closed", writable: true)
      }
      #expect(pair[0].base != pair[1].base)
      pair = []
      #expect(try !maps().contains("closed"))
    }
  }

  /// The bits that say which checksums were compared are memory only where all are.
  @Test func `without checksums to compare nobody asks which were`() throws {
    let file = rb_memory_file("sealed")
    defer { close(file) }
    let node = FileHeader.heapStart
    guard ftruncate(file, 1 << 20) == 0 else { throw StorageError.system("grow", "sealed") }
    let mapping = try Mapping(descriptor: file, path: "sealed", writable: true)
    #expect(!rb_may_be_sealed(mapping.base, node))
    #expect(rb_is_followed(mapping.base, node))
    guard ftruncate(file, 1 << 21) == 0 else { throw StorageError.system("grow", "sealed") }
    mapping.measure()
    #expect(!rb_may_be_sealed(mapping.base, node))
    mapping.compareAll()
    #expect(rb_may_be_sealed(mapping.base, node) && !rb_is_followed(mapping.base, node))
    #expect(!rb_is_seal_known(mapping.base, node))
  }

  /// One thread makes a file longer, page by page; another follows references to its last one,
  /// while that becomes known.
  @Test func `nodes are followed while the file grows`() async {
    await #expect(processExitsWith: .success) {
      let file = rb_memory_file("growing")
      let mapping = try Mapping(descriptor: file, path: "growing", writable: true)
      // The last node, and the last that was followed.
      let last = Atomic(UInt64(0))
      let followed = Atomic(UInt64(0))
      let reader = Thread {
        let space = mapping.space
        while true {
          let ref = NodeRef(raw: last.load(ordering: .acquiring))
          if ref.raw == followed.load(ordering: .relaxed) { continue }
          // A little sooner or later, so that it comes to every place in the other's look.
          for _ in 0..<(ref.raw >> 12) % 89 { rb_pause() }
          if space.head(ref, from: space.knowledge).units != 2 { abort() }
          followed.store(ref.raw, ordering: .releasing)
        }
      }
      reader.start()
      for page in UInt64(2)..<30_000 {
        // A node is known to be there if it ends so far before the end of the file.
        guard ftruncate(file, off_t((page + 1) << 12)) == 0 else { abort() }
        let ref = (page - 1) << 12
        (mapping.base + Int(ref)).storeBytes(
          of: NodeHeader(kind: NodeKind.blob, width: 0, count: 0, units: 2, born: 1),
          as: NodeHeader.self)
        last.store(ref, ordering: .releasing)
        mapping.measure()
        while followed.load(ordering: .acquiring) != ref { sched_yield() }
      }
      close(file)
    }
  }
}
