import CShims
import Evidence
import Foundation
import Harness

/// The people of a realm's benchmarks as live objects in C, over a mapped file of the same shape:
/// what stands beside a property read, so that its goal is a ratio and not a number of one machine.
///
/// The file has clusters of 256 rows; a cluster refers to a column of 8-bit ages and to one of
/// names, 16-bit ends before the bytes, each behind a header of 16 bytes. Objects have the words an
/// accessor has, and the checks are the same: whose thread, which version, whether the row has the
/// column.
final class HeldInC {
  enum Column: Int {
    case age = 0
    case name = 1
  }

  private let file: Int32
  private let base: UnsafeMutableRawPointer
  private let size: Int
  private let realm: UnsafeMutablePointer<rb_held_realm>
  private var objects: [UnsafePointer<rb_held_object>?] = []

  private static let perCluster = 256

  /// - Parameter keys: the people that are held.
  init(rows: Int, keys: [Int], in directory: URL) throws {
    let (bytes, clusters) = HeldInC.bytes(of: rows)
    let path = directory.appendingPathComponent("held-in-c").path
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    file = open(path, O_RDONLY)
    size = bytes.count
    let mapped = mmap(nil, size, PROT_READ, MAP_SHARED, file, 0)
    guard let mapped, mapped != MAP_FAILED else {
      close(file)
      throw BenchmarkError("cannot map \(path): \(String(cString: strerror(errno)))")
    }
    base = mapped
    realm = .allocate(capacity: 1)
    realm.initialize(
      to: rb_held_realm(
        token: rb_token_assign(), mask: .max, base: base.assumingMemoryBound(to: UInt8.self),
        generation: 7))
    objects = keys.map { key in
      // One by one and with room behind, as accessors lie.
      let object = UnsafeMutableRawPointer.allocate(byteCount: 208, alignment: 16)
        .bindMemory(to: rb_held_object.self, capacity: 1)
      let place = base + clusters[key / HeldInC.perCluster]
      object.initialize(
        to: rb_held_object(
          type: 0, count: 3, instant: rb_instant_clock().pointee,
          place: place.assumingMemoryBound(to: UInt8.self), realm: realm, generation: 7,
          row: UInt16(key % HeldInC.perCluster), columns: 2,
          origin: Int64(key - key % HeldInC.perCluster)))
      return UnsafePointer(object)
    }
  }

  deinit {
    for object in objects { UnsafeMutablePointer(mutating: object)?.deallocate() }
    realm.deallocate()
    munmap(base, size)
    close(file)
  }

  /// Reads `count` ages, of the objects in turn, and adds them up.
  func ages(_ count: Int) -> UInt64 {
    objects.withUnsafeBufferPointer {
      rb_held_ints($0.baseAddress, $0.count, Column.age.rawValue, UInt64(count))
    }
  }

  /// Copies `count` names out, of the objects in turn, and adds up their lengths.
  func nameLengths(_ count: Int) -> UInt64 {
    objects.withUnsafeBufferPointer {
      rb_held_strings($0.baseAddress, $0.count, Column.name.rawValue, UInt64(count))
    }
  }

  // MARK: The file

  /// The file's bytes, and where its clusters are.
  private static func bytes(of rows: Int) -> (bytes: [UInt8], clusters: [Int]) {
    var bytes = [UInt8](repeating: 0, count: 64)
    var clusters: [Int] = []
    for first in stride(from: 0, to: rows, by: perCluster) {
      let people = (first..<min(first + perCluster, rows)).map(Population.row)
      let ages = append(people.map { UInt8($0.age) }, to: &bytes)
      var ends: [UInt8] = []
      var heap: [UInt8] = []
      for person in people {
        heap += Array(person.name.utf8)
        ends += [UInt8(heap.count & 0xFF), UInt8(heap.count >> 8)]
      }
      let names = append(ends + heap, to: &bytes)
      clusters.append(bytes.count)
      bytes += [0, 0, UInt8(people.count & 0xFF), UInt8(people.count >> 8)]
      bytes += [UInt8](repeating: 0, count: 28)
      for word in [UInt64(ages) | 4, UInt64(names) | 5] {
        bytes += withUnsafeBytes(of: word.littleEndian) { Array($0) }
      }
    }
    // A copy may read a little past its end.
    return (bytes + [UInt8](repeating: 0, count: 64), clusters)
  }

  /// Appends a column behind a header; its place is a multiple of 16.
  private static func append(_ values: [UInt8], to bytes: inout [UInt8]) -> Int {
    bytes += [UInt8](repeating: 0, count: -bytes.count & 15)
    let place = bytes.count
    bytes += [UInt8](repeating: 0, count: 16) + values
    bytes += [UInt8](repeating: 0, count: -bytes.count & 15)
    return place
  }
}

extension HeldInC {
  /// `reads.held-int` beside C.
  static func int(_ track: Track) throws {
    try run(track, { $0.ages($1) }, right: { UInt64($0.age) })
  }

  /// `reads.held-string` beside C.
  static func string(_ track: Track) throws {
    try run(track, { $0.nameLengths($1) }, right: { UInt64($0.name.utf8.count) })
  }

  private static func run(
    _ track: Track, _ read: (HeldInC, Int) -> UInt64, right: (Population.Row) -> UInt64
  ) throws {
    let rows = try track.integer("rows")
    var generator = track.generator("held")
    let keys = (0..<1000).map { _ in generator.below(rows) }
    let people = try HeldInC(rows: rows, keys: keys, in: track.directory)
    try track.time { read(people, $0) }
    let expected = keys.reduce(0) { $0 + right(Population.row($1)) }
    let found = read(people, keys.count)
    track.check(found == expected, "C found \(found) in all, expected \(expected)")
  }
}
