#if SQLite
import CSQLite
import Evidence
import Foundation

/// What SQLite said.
struct SQLiteError: Error, CustomStringConvertible {
  let description: String
}

/// SQLite as its makers advise for many readers and one writer: WAL, prepared statements, a
/// connection per thread, memory-mapped reading.
package struct SQLiteStore: KeyValueStore {
  package static let name = "sqlite"
  package static var version: String { String(cString: sqlite3_libversion()) }
  package static let setting =
    "WAL, prepared statements, one connection per thread, mmap_size 1 GiB; two-phase and "
    + "single-flush are synchronous=FULL (one flush of the log per commit), none is synchronous=OFF"
  package static let durabilities: [Durability] = [.twoPhase, .none]

  let directory: URL
  let durability: Durability
  var path: String { directory.appendingPathComponent("people.sqlite").path }

  package init(directory: URL, durability: Durability, keys: Keys) throws {
    self.directory = directory
    self.durability = durability
    let connection = try SQLiteConnection(self)
    // Without row ids a string key is the table's own order, as an integer key is by itself.
    let (key, order) = keys == .integers ? ("INTEGER", "") : ("TEXT", "WITHOUT ROWID")
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS person
        (id \(key) PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, score REAL NOT NULL, note TEXT) \(order)
      """)
  }

  package func connect() throws -> SQLiteConnection { try SQLiteConnection(self) }

  package func bytesOnDisk() -> Int { SQLiteStore.bytes(in: directory) }
}

package final class SQLiteConnection: KeyValueConnection {
  package typealias Held = SQLiteConnection
  let database: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]
  private let store: SQLiteStore
  private lazy var person = Result {
    SQLitePeople(
      sum: try prepare("SELECT sum(age) FROM person"),
      above: try prepare("SELECT count(*) FROM person WHERE age > ?"),
      first: try prepare("SELECT age FROM person WHERE age > ? LIMIT 1"),
      named: try prepare("SELECT count(*) FROM person WHERE name = ?"),
      conjunction: try prepare(
        "SELECT count(*) FROM person WHERE age < ? AND score > ? AND name >= ? AND name < ?"),
      sorted: try prepare("SELECT id FROM person ORDER BY age, id"),
      hundred: try prepare("SELECT id FROM person ORDER BY age, id LIMIT 100"),
      find: try prepare("SELECT age, name FROM person WHERE id = ?"),
      ages: try prepare("SELECT age FROM person"),
      total: try prepare("SELECT count(*) FROM person"),
      insert: try prepare("INSERT INTO person VALUES (?, ?, ?, ?, ?)"),
      setAge: try prepare("UPDATE person SET age = ? WHERE id = ?"),
      delete: try prepare("DELETE FROM person WHERE id = ?"))
  }
  private lazy var begin = Result { try prepare("BEGIN") }
  private lazy var beginWrite = Result { try prepare("BEGIN IMMEDIATE") }
  private lazy var commit = Result { try prepare("COMMIT") }

  init(_ store: SQLiteStore) throws {
    self.store = store
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(store.path, &handle, flags, nil) == SQLITE_OK, let handle else {
      throw SQLiteError(description: "sqlite cannot open \(store.path)")
    }
    database = handle
    sqlite3_busy_timeout(handle, 60_000)
    try run("PRAGMA journal_mode=WAL")
    try run("PRAGMA synchronous=\(store.durability == .none ? "OFF" : "FULL")")
    try run("PRAGMA mmap_size=1073741824")
    try run("PRAGMA cache_size=-65536")
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(database)
  }

  func run(_ sql: String) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
  }

  func prepare(_ sql: String) throws -> OpaquePointer {
    if let known = statements[sql] { return known }
    var statement: OpaquePointer?
    guard
      sqlite3_prepare_v3(
        database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
      let statement
    else { throw failure(sql) }
    statements[sql] = statement
    return statement
  }

  func failure(_ what: String) -> SQLiteError {
    SQLiteError(
      description: "sqlite: \(String(cString: sqlite3_errmsg(database))) in \(what.prefix(60))")
  }

  func step(_ statement: OpaquePointer) throws {
    let result = sqlite3_step(statement)
    sqlite3_reset(statement)
    guard result == SQLITE_DONE || result == SQLITE_ROW else { throw failure("a step") }
  }

  package func read<Result>(_ body: (SQLitePeople) throws -> Result) throws -> Result {
    try step(begin.get())
    do {
      let result = try body(person.get())
      try step(commit.get())
      return result
    } catch {
      sqlite3_exec(database, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }

  package func write<Result>(_ body: (SQLitePeople) throws -> Result) throws -> Result {
    try step(beginWrite.get())
    do {
      let result = try body(person.get())
      try step(commit.get())
      return result
    } catch {
      sqlite3_exec(database, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }

  /// A second connection with a read transaction that has looked: only then does SQLite keep the
  /// version.
  package func hold() throws -> SQLiteConnection {
    let other = try SQLiteConnection(store)
    try other.run("BEGIN")
    _ = try other.person.get().count()
    return other
  }

  package func read<Result>(in held: SQLiteConnection, _ body: (SQLitePeople) throws -> Result)
    throws
    -> Result
  {
    try body(held.person.get())
  }

  package func refresh() throws {}

  /// SQLite begins in earnest with the first look, so a look is part of it.
  package func beginAndEnd(_ count: Int) throws -> UInt64 {
    var sum: UInt64 = 0
    for _ in 0..<count { sum &+= try read { try $0.ageAndName(0) ?? 0 } }
    return sum
  }
}

/// Both sides in one: SQLite's statements do not differ by transaction.
package struct SQLitePeople: KeyValueReader, KeyValueWriter {
  let sum: OpaquePointer
  let above: OpaquePointer
  let first: OpaquePointer
  let named: OpaquePointer
  let conjunction: OpaquePointer
  let sorted: OpaquePointer
  let hundred: OpaquePointer
  let find: OpaquePointer
  let ages: OpaquePointer
  let total: OpaquePointer
  let insert: OpaquePointer
  let setAge: OpaquePointer
  let delete: OpaquePointer

  package func ageAndName(_ key: Int) throws -> UInt64? {
    sqlite3_bind_int64(find, 1, Int64(key))
    return found()
  }

  package func ageAndName(_ key: String) throws -> UInt64? {
    SQLitePeople.bind(find, 1, key)
    return found()
  }

  private func found() -> UInt64? {
    defer { sqlite3_reset(find) }
    guard sqlite3_step(find) == SQLITE_ROW else { return nil }
    let age = Int(sqlite3_column_int64(find, 0))
    // A String as a user would have it, not a borrowed pointer.
    let name = sqlite3_column_text(find, 1).map { String(cString: $0) } ?? ""
    return Population.digest(age: age, nameLength: name.utf8.count)
  }

  package func iterateAges() throws -> Int {
    defer { sqlite3_reset(ages) }
    var sum = 0
    while sqlite3_step(ages) == SQLITE_ROW { sum &+= Int(sqlite3_column_int64(ages, 0)) }
    return sum
  }

  package func count() throws -> Int { one(total) }

  package func sumOfAges() throws -> Int { one(sum) }

  package func countAges(above limit: Int) throws -> Int {
    sqlite3_bind_int64(above, 1, Int64(limit))
    return one(above)
  }

  package func firstAge(above limit: Int) throws -> Int? {
    sqlite3_bind_int64(first, 1, Int64(limit))
    defer { sqlite3_reset(first) }
    guard sqlite3_step(first) == SQLITE_ROW else { return nil }
    return Int(sqlite3_column_int64(first, 0))
  }

  package func countNames(equalTo name: String) throws -> Int {
    SQLitePeople.bind(named, 1, name)
    return one(named)
  }

  package func countConjunction(below age: Int, above score: Double, prefix: String) throws -> Int {
    sqlite3_bind_int64(conjunction, 1, Int64(age))
    sqlite3_bind_double(conjunction, 2, score)
    SQLitePeople.bind(conjunction, 3, prefix)
    // The end of a prefix's range: SQLite's LIKE would fold cases and use no comparison of bytes.
    SQLitePeople.bind(conjunction, 4, prefix + "\u{7F}")
    return one(conjunction)
  }

  package func sortedEnds() throws -> [Int] {
    let ids = all(sorted)
    return ids.isEmpty ? [] : [ids[0], ids[ids.count / 2], ids[ids.count - 1]]
  }

  package func firstHundred() throws -> [Int] { all(hundred) }

  private func one(_ statement: OpaquePointer) -> Int {
    defer { sqlite3_reset(statement) }
    guard sqlite3_step(statement) == SQLITE_ROW else { return 0 }
    return Int(sqlite3_column_int64(statement, 0))
  }

  private func all(_ statement: OpaquePointer) -> [Int] {
    defer { sqlite3_reset(statement) }
    var found: [Int] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      found.append(Int(sqlite3_column_int64(statement, 0)))
    }
    return found
  }

  package func insert(_ row: Population.Row) throws {
    sqlite3_bind_int64(insert, 1, Int64(row.id))
    try insertRest(row)
  }

  package func insert(_ row: Population.Row, key: String) throws {
    SQLitePeople.bind(insert, 1, key)
    try insertRest(row)
  }

  private func insertRest(_ row: Population.Row) throws {
    SQLitePeople.bind(insert, 2, row.name)
    sqlite3_bind_int64(insert, 3, Int64(row.age))
    sqlite3_bind_double(insert, 4, row.score)
    if let note = row.note {
      SQLitePeople.bind(insert, 5, note)
    } else {
      sqlite3_bind_null(insert, 5)
    }
    try done(insert, "insert")
  }

  package func setAge(_ key: Int, _ age: Int) throws {
    sqlite3_bind_int64(setAge, 1, Int64(age))
    sqlite3_bind_int64(setAge, 2, Int64(key))
    try done(setAge, "update")
  }

  package func delete(_ key: Int) throws {
    sqlite3_bind_int64(delete, 1, Int64(key))
    try done(delete, "delete")
  }

  private func done(_ statement: OpaquePointer, _ what: String) throws {
    let result = sqlite3_step(statement)
    sqlite3_reset(statement)
    guard result == SQLITE_DONE else {
      throw SQLiteError(description: "sqlite: \(what) failed with \(result)")
    }
  }

  static func bind(_ statement: OpaquePointer, _ place: Int32, _ text: String) {
    // SQLITE_TRANSIENT: SQLite copies before the closure ends.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    var text = text
    text.withUTF8 { bytes in
      _ = bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text(statement, place, $0.baseAddress, Int32($0.count), transient)
      }
    }
  }
}
#endif
