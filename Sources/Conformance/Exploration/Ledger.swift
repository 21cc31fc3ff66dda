import EngineUnderTest
import Foundation
import Harness
import Synchronization

/// A list to which every transaction appends numbers of its own, so that one look tells which
/// writes it saw, in which order.
///
/// Page 0 has no entries, but counts the commits: the version of the state, as the program itself
/// can see it.
final class Page: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var version: Int
  @Persisted var entries: List<Int>

  convenience init(id: Int) {
    self.init()
    self.id = id
  }
}

/// The pages of one file, and the history of all that was done to them.
///
/// Any thread may write its part of the history; pens do it for them.
final class Ledger: Sendable {
  let configuration: Realm.Configuration
  /// How many pages there are to write to: 1 to this.
  let pages: Int
  /// How many numbers lie in the file that nobody writes to: they make it large.
  let ballast: Int
  /// A megabyte of them.
  static let largeBallast = 1 << 17
  private let stamps: @Sendable () -> UInt64
  private let values: Atomic<Int>
  private let history = Mutex<[History.Transaction]>([])
  private let complaints = Mutex<[String]>([])
  private let journal: Journal?

  /// - Parameters:
  ///   - stamps: one counter for all who take part.
  ///   - firstValue: from where on values are new; each process takes another range.
  ///   - journal: where all of it is written down as it happens.
  ///   - durability: how far commits come before they return, in an engine that offers a choice.
  init(
    _ file: URL, pages: Int, ballast: Int = 0, firstValue: Int = 1, durability: String? = nil,
    journal: Journal? = nil, stamps: @escaping @Sendable () -> UInt64 = Ledger.counter()
  ) {
    var configuration = Realm.Configuration(fileURL: file, objectTypes: [Page.self])
    if let durability { _ = Engine.setDurability(durability, of: &configuration) }
    self.configuration = configuration
    self.pages = pages
    self.ballast = ballast
    self.stamps = stamps
    self.journal = journal
    values = Atomic(firstValue)
  }

  /// The pages of a copy of another ledger's file: what happened there is long past.
  init(_ file: URL, continuing other: Ledger) {
    configuration = Realm.Configuration(fileURL: file, objectTypes: [Page.self])
    (pages, ballast) = (other.pages, other.ballast)
    journal = nil
    stamps = Ledger.counter()
    values = Atomic(other.values.load(ordering: .relaxed))
    let past = other.transactions.map { transaction in
      var past = transaction
      (past.began, past.ended, past.inside) = (0, 0, nil)
      return past
    }
    history.withLock { $0 = past }
  }

  static func counter() -> @Sendable () -> UInt64 {
    let next = Stamps()
    return { UInt64(next.draw()) }
  }

  /// Makes the pages, and writes a number on each.
  func prepare(session: Int = 0) throws {
    let pen = try Pen(self, session: session)
    try pen.realm.write {
      for id in 0...pages { pen.realm.add(Page(id: id)) }
      guard ballast > 0 else { return }
      let hold = Page(id: pages + 1)
      // So large that no engine packs them into less than eight bytes each.
      hold.entries.append(objectsIn: (0..<ballast).map { (1 << 60) + $0 })
      pen.realm.add(hold)
    }
    try pen.write(Array(1...pages))
  }

  func stamp() -> UInt64 { stamps() }
  func value() -> Int { values.wrappingAdd(1, ordering: .relaxed).oldValue }

  /// Adds a transaction; returns its place.
  @discardableResult
  func add(_ transaction: History.Transaction) -> Int {
    let place = history.withLock {
      $0.append(transaction)
      return $0.count - 1
    }
    journal?.add(transaction, at: place)
    return place
  }

  /// Adds what others did, in other processes.
  func merge(_ others: [History.Transaction]) { history.withLock { $0 += others } }

  /// Notes how a transaction ended that was added before its end was known.
  func end(_ place: Int, _ outcome: History.Outcome? = nil) {
    let now = stamp()
    history.withLock {
      $0[place].ended = now
      if let outcome { $0[place].outcome = outcome }
    }
    journal?.end(place, at: now, outcome)
  }

  var transactions: [History.Transaction] { history.withLock { $0 } }

  /// Complains if something is not so.
  func expect(_ condition: Bool, _ complaint: @autoclosure () -> String) {
    if condition { return }
    let words = complaint()
    complaints.withLock { $0.append(words) }
    journal?.complain(words)
  }

  var complaint: String? { complaints.withLock { $0.first } }

  /// Looks at the newest version as another process finds it.
  ///
  /// Realms of this process share what it has open of the file. Who makes a file of a seed opens
  /// that once more, only to read, beside whatever is open; so the pages are seen in such a copy.
  func lookApart(session: Int) throws {
    let copy = URL(fileURLWithPath: "\(configuration.fileURL?.path ?? "").copy-\(session)")
    defer { for ending in ["", ".lock"] { unlink(copy.path + ending) } }
    try Pen(self, session: session) {
      $0.seedFilePath = configuration.fileURL
      $0.fileURL = copy
    }.look()
  }

  /// Looks at the file once more, and judges: nil if nothing is wrong.
  func verdict() -> String? {
    if let complaint { return complaint }
    do {
      try Pen(self, session: -1).look()
    } catch {
      return "the file does not open any more: \(error)"
    }
    if let complaint { return complaint }
    return HistoryChecker.anomalies(in: History(transactions: transactions)).first?.description
  }
}

/// What one session does to a ledger: reads and writes, and says so in the history.
///
/// Used where its realm is at home.
final class Pen {
  let ledger: Ledger
  let session: Int
  let realm: Realm
  let freshness: Freshness

  /// What the pens of one session know together: one that was put away may still write, and move
  /// the realm of the others.
  final class Freshness {
    /// Drawn before the call that last may have moved the realm: what had been acknowledged by
    /// then, it must show.
    fileprivate(set) var stamp: UInt64 = 0
  }
  private var fresh: UInt64 {
    get { freshness.stamp }
    set { freshness.stamp = newValue }
  }

  init(
    _ ledger: Ledger, session: Int, queue: DispatchQueue? = nil,
    continuing freshness: Freshness = Freshness()
  ) throws {
    self.ledger = ledger
    self.session = session
    self.freshness = freshness
    freshness.stamp = ledger.stamp()
    realm = try Realm(configuration: ledger.configuration, queue: queue)
  }

  /// Opens the file in another way than the ledger's.
  convenience init(
    _ ledger: Ledger, session: Int, _ change: (inout Realm.Configuration) -> Void
  ) throws {
    let stamp = ledger.stamp()
    var configuration = ledger.configuration
    change(&configuration)
    self.init(
      ledger, session: session, realm: try Realm(configuration: configuration),
      openedAfter: stamp, continuing: Freshness())
  }

  /// Whether the file has none of the ledger's pages.
  var isBlank: Bool { page(0, in: realm) == nil }

  /// - Parameter stamp: drawn before the realm was opened.
  init(
    _ ledger: Ledger, session: Int, realm: Realm, openedAfter stamp: UInt64,
    continuing freshness: Freshness
  ) {
    self.ledger = ledger
    self.session = session
    self.freshness = freshness
    freshness.stamp = max(freshness.stamp, stamp)
    self.realm = realm
  }

  // MARK: Reading

  /// Reads every page of the version that the realm is on.
  func look() { record(look(at: realm), began: fresh) }

  /// Moves to the newest version and reads every page.
  func refreshAndLook() {
    fresh = ledger.stamp()
    realm.refresh()
    look()
  }

  /// Reads every page of a frozen realm, which may be older than this session's.
  func look(atFrozen frozen: Realm, session: Int) {
    record(look(at: frozen), began: 0, session: session)
  }

  private func record(
    _ seen: (version: UInt64, reads: [History.Read]), began: UInt64, session: Int? = nil
  ) {
    ledger.add(
      History.Transaction(
        session: session ?? self.session, began: began, ended: ledger.stamp(),
        snapshot: seen.version, outcome: .readOnly, reads: seen.reads))
  }

  private func look(at realm: Realm) -> (version: UInt64, reads: [History.Read]) {
    let version = self.version(of: realm)
    Turns.current?.point("reading")
    let reads = (1...ledger.pages).map { History.Read(key: $0, values: entries($0, in: realm)) }
    Turns.current?.point("read")
    ledger.expect(
      self.version(of: realm) == version,
      "session \(session) read version \(version) and then \(self.version(of: realm)), "
        + "without a step in between")
    return (version, reads)
  }

  private func page(_ id: Int, in realm: Realm) -> Page? {
    realm.object(ofType: Page.self, forPrimaryKey: id)
  }

  private func version(of realm: Realm) -> UInt64 {
    let page = page(0, in: realm)
    ledger.expect(page != nil, "session \(session) does not find page 0")
    return UInt64(max(0, page?.version ?? 0))
  }

  private func entries(_ id: Int, in realm: Realm) -> [Int] {
    page(id, in: realm).map { Array($0.entries) } ?? []
  }

  // MARK: Writing

  enum End { case commit, cancel }

  /// Appends a number to each of some pages, in one transaction.
  func write(_ keys: [Int], _ end: End = .commit) throws {
    let began = ledger.stamp()
    realm.beginWrite()
    var draft = draft(keys, began: began)
    switch end {
    case .cancel:
      realm.cancelWrite()
      draft.outcome = .cancelled
    case .commit:
      draft.outcome = .unknown
      let place = ledger.add(draft)
      try realm.commitWrite()
      return ledger.end(place, .committed(version: draft.snapshot + 1))
    }
    draft.ended = ledger.stamp()
    ledger.add(draft)
  }

  func write(_ keys: Int..., ending: End = .commit) throws { try write(keys, ending) }

  /// Does the same in an asynchronous write. `block` is told when the write runs, `then` when it is
  /// on the disk.
  @discardableResult
  func writeAsync(
    _ keys: [Int], grouping: Bool = false, then: @escaping () -> Void = {},
    block: @escaping () -> Void = {}
  ) -> AsyncTransactionId {
    realm.beginAsyncWrite { [self] in
      block()
      commitAsync(draft(keys, began: nil), grouping: grouping, then: then)
    }
  }

  /// Does the same in a task of the realm's actor. Throws what kept the write from happening, and
  /// `Refrained` if told to.
  func writeInTask(
    _ keys: [Int], refraining: Bool = false, _isolation: isolated any Actor = #isolation
  ) async throws {
    var place: Int?
    try await realm.asyncWrite {
      var draft = draft(keys, began: nil)
      if refraining {
        draft.outcome = .cancelled
        draft.ended = ledger.stamp()
        ledger.add(draft)
        throw Refrained()
      }
      draft.outcome = .committed(version: draft.snapshot + 1)
      draft.ended = .max
      place = ledger.add(draft)
    }
    if let place { ledger.end(place) }
  }

  /// A write that throws on purpose.
  struct Refrained: Error {}

  /// Comes to the newest version without blocking the actor.
  func refresh(_isolation: isolated any Actor = #isolation) async {
    let before = ledger.stamp()
    if await realm.asyncRefresh() { fresh = max(fresh, before) }
  }

  /// Begins here, where the realm is at home, and lets the disk work in the background.
  @discardableResult
  func writeThenCommitAsync(
    _ keys: [Int], grouping: Bool = false, then: @escaping () -> Void = {}
  ) -> AsyncTransactionId {
    let began = ledger.stamp()
    realm.beginWrite()
    return commitAsync(draft(keys, began: began), grouping: grouping, then: then)
  }

  @discardableResult
  private func commitAsync(
    _ written: History.Transaction, grouping: Bool, then: @escaping () -> Void
  ) -> AsyncTransactionId {
    var draft = written
    // It counts as committed from here on, and as acknowledged when the completion is called.
    draft.outcome = .committed(version: draft.snapshot + 1)
    draft.ended = .max
    let place = ledger.add(draft)
    return realm.commitAsyncWrite(allowGrouping: grouping) { [ledger, session] error in
      ledger.expect(error == nil, "session \(session): the commit failed: \(error!)")
      ledger.end(place)
      then()
    }
  }

  /// What the write that is open does, up to its end.
  func draft(_ keys: [Int], began: UInt64?) -> History.Transaction {
    let first = ledger.stamp()
    fresh = began ?? first
    let version = version(of: realm)
    let reads = keys.map { History.Read(key: $0, values: entries($0, in: realm)) }
    let appends = keys.map { History.Append(key: $0, value: ledger.value()) }
    Turns.current?.point("writing")
    for append in appends { page(append.key, in: realm)?.entries.append(append.value) }
    page(0, in: realm)?.version = Int(version) + 1
    return History.Transaction(
      session: session, began: began ?? first, ended: 0, inside: first...ledger.stamp(),
      snapshot: version, outcome: .unknown, reads: reads, appends: appends)
  }
}
