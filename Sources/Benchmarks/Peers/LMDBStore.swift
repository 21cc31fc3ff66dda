#if LMDB
import CLMDB
import Evidence
import Foundation

/// What LMDB said.
struct LMDBError: Error, CustomStringConvertible {
  let description: String
  init(_ code: Int32, _ what: String) {
    description = "lmdb: \(what): \(String(cString: mdb_strerror(code)))"
  }
}

private func must(_ code: Int32, _ what: String) throws {
  guard code == MDB_SUCCESS else { throw LMDBError(code, what) }
}

/// LMDB at its best: integer keys, one read transaction per connection that is reset and renewed,
/// values read in place.
///
/// A person is packed as age, score, length of the name, name, note: what a user of LMDB would
/// write by hand.
package final class LMDBStore: KeyValueStore, @unchecked Sendable {
  // Unchecked: an environment is made for many threads; the transactions, which are not, live in
  // connections.
  package static let name = "lmdb"
  package static var version: String {
    "\(MDB_VERSION_MAJOR).\(MDB_VERSION_MINOR).\(MDB_VERSION_PATCH)"
  }
  package static let setting =
    "integer keys, records packed by hand, read transactions reset and renewed; two-phase is the "
    + "default (data flushed, then the root written through a synchronous descriptor), "
    + "single-flush is MDB_NOMETASYNC, none is MDB_NOSYNC"
  package static let durabilities: [Durability] = [.twoPhase, .singleFlush, .none]

  let directory: URL
  let environment: OpaquePointer
  let people: MDB_dbi

  package init(directory: URL, durability: Durability, keys: Keys) throws {
    self.directory = directory
    var environment: OpaquePointer?
    try must(mdb_env_create(&environment), "create")
    guard let environment else { throw LMDBError(ENOMEM, "create") }
    self.environment = environment
    // Room for growth while versions are held; the file is only as long as what is used of it.
    try must(mdb_env_set_mapsize(environment, 8 << 30), "map size")
    try must(mdb_env_set_maxreaders(environment, 2048), "readers")
    var flags = UInt32(MDB_NOTLS)
    switch durability {
    case .twoPhase: break
    case .singleFlush: flags |= UInt32(MDB_NOMETASYNC)
    case .none: flags |= UInt32(MDB_NOSYNC)
    }
    try must(mdb_env_open(environment, directory.path, flags, 0o600), "open \(directory.path)")
    var transaction: OpaquePointer?
    try must(mdb_txn_begin(environment, nil, 0, &transaction), "begin")
    var people = MDB_dbi()
    let order = keys == .integers ? MDB_INTEGERKEY : 0
    try must(mdb_dbi_open(transaction, nil, UInt32(order | MDB_CREATE), &people), "open table")
    try must(mdb_txn_commit(transaction), "commit")
    self.people = people
  }

  deinit { mdb_env_close(environment) }

  package func connect() throws -> LMDBConnection { LMDBConnection(self) }

  package func bytesOnDisk() -> Int { LMDBStore.bytes(in: directory) }
}

package final class LMDBConnection: KeyValueConnection {
  package final class Held {
    fileprivate let transaction: OpaquePointer
    private let store: LMDBStore
    fileprivate init(_ store: LMDBStore) throws {
      self.store = store
      var transaction: OpaquePointer?
      try must(
        mdb_txn_begin(store.environment, nil, UInt32(MDB_RDONLY), &transaction), "begin a read")
      guard let transaction else { throw LMDBError(ENOMEM, "begin a read") }
      self.transaction = transaction
    }
    deinit { mdb_txn_abort(transaction) }
  }

  private let store: LMDBStore
  private var reader: OpaquePointer?

  init(_ store: LMDBStore) { self.store = store }

  deinit { if let reader { mdb_txn_abort(reader) } }

  package func read<Result>(_ body: (LMDBReader) throws -> Result) throws -> Result {
    if let reader {
      try must(mdb_txn_renew(reader), "renew")
    } else {
      try must(mdb_txn_begin(store.environment, nil, UInt32(MDB_RDONLY), &reader), "begin a read")
    }
    defer { mdb_txn_reset(reader) }
    return try body(LMDBReader(transaction: reader, people: store.people))
  }

  package func write<Result>(_ body: (LMDBWriter) throws -> Result) throws -> Result {
    var transaction: OpaquePointer?
    try must(mdb_txn_begin(store.environment, nil, 0, &transaction), "begin a write")
    do {
      let result = try body(LMDBWriter(transaction: transaction, people: store.people))
      try must(mdb_txn_commit(transaction), "commit")
      return result
    } catch {
      mdb_txn_abort(transaction)
      throw error
    }
  }

  package func hold() throws -> Held { try Held(store) }

  package func read<Result>(in held: Held, _ body: (LMDBReader) throws -> Result) throws -> Result {
    try body(LMDBReader(transaction: held.transaction, people: store.people))
  }

  package func refresh() throws {}
}

private func withKey<Result>(_ key: Int, _ body: (inout MDB_val) throws -> Result) rethrows
  -> Result
{
  var key = UInt64(key)
  return try withUnsafeMutableBytes(of: &key) { bytes in
    var value = MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
    return try body(&value)
  }
}

private func withKey<Result>(_ key: String, _ body: (inout MDB_val) throws -> Result) rethrows
  -> Result
{
  var key = key
  return try key.withUTF8 { bytes in
    // LMDB reads what it is pointed to and never writes there.
    var value = MDB_val(
      mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    return try body(&value)
  }
}

/// Offsets within a packed person.
private enum Packed {
  static let age = 0
  static let score = 8
  static let nameLength = 16
  static let name = 20
}

package struct LMDBReader: KeyValueReader {
  let transaction: OpaquePointer?
  let people: MDB_dbi

  package func ageAndName(_ key: Int) throws -> UInt64? {
    try withKey(key) { try digest(&$0) }
  }

  package func ageAndName(_ key: String) throws -> UInt64? {
    try withKey(key) { try digest(&$0) }
  }

  /// LMDB's own fast path: the bytes where they lie.
  @inline(__always)
  private func digest(_ key: inout MDB_val) throws -> UInt64? {
    var value = MDB_val()
    let found = mdb_get(transaction, people, &key, &value)
    if found == MDB_NOTFOUND { return nil }
    try must(found, "get")
    let bytes = UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
    let age = bytes.loadUnaligned(fromByteOffset: Packed.age, as: Int.self)
    let length = Int(bytes.loadUnaligned(fromByteOffset: Packed.nameLength, as: UInt32.self))
    // A String as a user would have it, not borrowed bytes.
    let name = String(decoding: bytes[Packed.name..<Packed.name + length], as: UTF8.self)
    return Population.digest(age: age, nameLength: name.utf8.count)
  }

  /// Visits every record where it lies.
  private func scan(_ body: (Int, UnsafeRawPointer) -> Void) throws {
    var cursor: OpaquePointer?
    try must(mdb_cursor_open(transaction, people, &cursor), "cursor")
    defer { mdb_cursor_close(cursor) }
    var key = MDB_val()
    var value = MDB_val()
    while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == MDB_SUCCESS {
      body(Int(key.mv_data.loadUnaligned(as: UInt64.self)), UnsafeRawPointer(value.mv_data))
    }
  }

  private static func age(_ record: UnsafeRawPointer) -> Int {
    record.loadUnaligned(fromByteOffset: Packed.age, as: Int.self)
  }

  private static func name(_ record: UnsafeRawPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: record + Packed.name,
      count: Int(record.loadUnaligned(fromByteOffset: Packed.nameLength, as: UInt32.self)))
  }

  package func iterateAges() throws -> Int {
    var sum = 0
    try scan { sum &+= LMDBReader.age($1) }
    return sum
  }

  package func sumOfAges() throws -> Int { try iterateAges() }

  package func countAges(above limit: Int) throws -> Int {
    var found = 0
    try scan { if LMDBReader.age($1) > limit { found += 1 } }
    return found
  }

  package func firstAge(above limit: Int) throws -> Int? {
    var cursor: OpaquePointer?
    try must(mdb_cursor_open(transaction, people, &cursor), "cursor")
    defer { mdb_cursor_close(cursor) }
    var key = MDB_val()
    var value = MDB_val()
    while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == MDB_SUCCESS {
      let age = LMDBReader.age(UnsafeRawPointer(value.mv_data))
      if age > limit { return age }
    }
    return nil
  }

  package func countNames(equalTo name: String) throws -> Int {
    let wanted = Array(name.utf8)
    var found = 0
    try scan { _, record in
      let name = LMDBReader.name(record)
      if name.count == wanted.count, name.elementsEqual(wanted) { found += 1 }
    }
    return found
  }

  package func countConjunction(below age: Int, above score: Double, prefix: String) throws -> Int {
    let wanted = Array(prefix.utf8)
    var found = 0
    try scan { _, record in
      guard LMDBReader.age(record) < age,
        record.loadUnaligned(fromByteOffset: Packed.score, as: Double.self) > score
      else { return }
      if LMDBReader.name(record).starts(with: wanted) { found += 1 }
    }
    return found
  }

  private func sorted() throws -> [(age: Int, id: Int)] {
    var all: [(age: Int, id: Int)] = []
    try scan { all.append((LMDBReader.age($1), $0)) }
    all.sort { ($0.age, $0.id) < ($1.age, $1.id) }
    return all
  }

  package func sortedEnds() throws -> [Int] {
    let all = try sorted()
    return all.isEmpty ? [] : [all[0].id, all[all.count / 2].id, all[all.count - 1].id]
  }

  package func firstHundred() throws -> [Int] { try sorted().prefix(100).map(\.id) }

  package func count() throws -> Int {
    var stat = MDB_stat()
    try must(mdb_stat(transaction, people, &stat), "count")
    return stat.ms_entries
  }
}

package struct LMDBWriter: KeyValueWriter {
  let transaction: OpaquePointer?
  let people: MDB_dbi

  package func insert(_ row: Population.Row) throws {
    var bytes = packed(row)
    try withKey(row.id) { try put(&$0, &bytes) }
  }

  package func insert(_ row: Population.Row, key: String) throws {
    var bytes = packed(row)
    try withKey(key) { try put(&$0, &bytes) }
  }

  private func packed(_ row: Population.Row) -> [UInt8] {
    let name = Array(row.name.utf8)
    let note = row.note.map { Array($0.utf8) } ?? []
    var bytes = [UInt8](repeating: 0, count: Packed.name)
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: row.age, toByteOffset: Packed.age, as: Int.self)
      $0.storeBytes(of: row.score, toByteOffset: Packed.score, as: Double.self)
      $0.storeBytes(of: UInt32(name.count), toByteOffset: Packed.nameLength, as: UInt32.self)
    }
    bytes += name + note
    return bytes
  }

  package func setAge(_ key: Int, _ age: Int) throws {
    // A value cannot be changed where it lies: it is copied, changed and put again.
    var bytes: [UInt8] = []
    try withKey(key) { key in
      var value = MDB_val()
      try must(mdb_get(transaction, people, &key, &value), "get")
      bytes = Array(UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
    }
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: age, toByteOffset: Packed.age, as: Int.self) }
    try withKey(key) { try put(&$0, &bytes) }
  }

  package func delete(_ key: Int) throws {
    try withKey(key) { try must(mdb_del(transaction, people, &$0, nil), "delete") }
  }

  private func put(_ key: inout MDB_val, _ bytes: inout [UInt8]) throws {
    try bytes.withUnsafeMutableBytes { buffer in
      var value = MDB_val(mv_size: buffer.count, mv_data: buffer.baseAddress)
      try must(mdb_put(transaction, people, &key, &value, 0), "put")
    }
  }
}
#endif
