import EngineUnderTest
import Foundation
import Harness

/// Does a program's acts to an engine and to a model at once, and after each asks the realm here,
/// the one on the queue, frozen versions and all that is held, and compares.
final class WideRun {
  /// Somebody who reads, and what must be seen.
  struct Reader {
    let name: String
    let realm: Realm
    var state: WideState
    var finder: Finder { Finder(realm: realm, state: state) }
  }

  /// Something that the program holds on to; if it is frozen, with the state that it must show for
  /// ever.
  struct Keepsake {
    let held: any Held
    var frozenState: WideState?
  }

  /// Something on its way to another realm.
  struct Letter {
    let parcel: any Parcel
    /// Nobody else can see what is there yet.
    let isOfWrite: Bool
    let name: String
    let held: any Held
  }

  /// Held things are dear to compare, and more of them show nothing new.
  static let mostFrozen = 4
  static let mostHeld = 24

  let configuration: Realm.Configuration
  let queue = DispatchQueue(label: "there")
  var here: Reader?
  var there: Reader?
  var frozen: [Reader] = []
  var keepsakes: [Keepsake] = []
  var letters: [Letter] = []
  var variables: [Variable] = []
  /// They keep nothing of a realm, and so stay when everything else is let go of.
  var copies: [ObjectCopy] = []
  var mirrors: [any Mirror] = []
  /// Of the realm on the queue, to be touched there alone.
  var mirrorsThere: [any Mirror] = []
  /// Two actors with a realm each, once they are wanted: one writes, and on the other one there is
  /// listened.
  var players: (writer: Keeper, listener: Keeper)?
  /// Of the listening actor, to be touched there alone.
  var mirrorsOnActor: [any Mirror] = []
  /// What the writing actor's open write has made of the newest state.
  var playing = WideState()
  /// Another process, once it is wanted, and who starts it.
  var neighbour: Neighbour?
  var makeNeighbour: (() -> Neighbour?)?
  /// Listens to the realm here as such, sometimes.
  var realmToken: NotificationToken?
  var realmCalls = 0
  var newest = WideState()
  var isWriting = false
  /// Rows whose properties were set since listeners were told last.
  var touched = Touched()
  /// What a loop did wrong.
  var walked: String?
  private var lastBirth = 0
  /// How many answers were compared.
  var comparisons = 0
  let patience: Duration
  /// How many commits there were when the disk failed last.
  var commitsAtFailure = -1
  /// All is looked at after the last act.
  var isLast = false

  init(_ file: URL, patience: Duration = .seconds(20)) throws {
    self.patience = patience
    configuration = WideRun.configuration(file)
    try open()
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      // It would move by itself, and nobody could say when.
      if Engine.offersReins { realm.autorefresh = false }
      if !realm.isEmpty { walked = "a new file is not empty" }
      there = Reader(name: "the realm on the queue", realm: realm, state: newest)
    }
  }

  static func configuration(_ file: URL) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: file, objectTypes: Kind.allCases.map { $0.type } + [Box.self])
  }

  /// Nil if all is well.
  func run(_ program: WideProgram) -> String? {
    for (number, act) in program.acts.enumerated() {
      do {
        isLast = number + 1 == program.acts.count
        let complaint = try take(act)
        // Where it may have moved by itself, it has, before anybody looks.
        if !Engine.offersReins { refreshThere() }
        if let complaint = complaint ?? walked ?? difference(act) ?? walked {
          return "act \(number + 1) (\(act.verb) \(act.text)): \(complaint)"
        }
      } catch {
        return "act \(number + 1) (\(act.verb) \(act.text)) threw: \(error)"
      }
    }
    return nil
  }

  /// Lets go of everything but its realms, which come to the newest version.
  func rest() {
    if let here, isWriting { cancel(here.realm) }
    letGoOfAll()
    here?.realm.refresh()
    here?.state = newest
    refreshThere()
  }

  private func letGoOfAll() {
    dismissPlayers()
    neighbour?.end()
    neighbour = nil
    queue.sync {
      for mirror in mirrorsThere { mirror.end() }
      mirrorsThere = []
    }
    realmToken?.invalidate()
    realmToken = nil
    for mirror in mirrors { mirror.end() }
    (mirrors, keepsakes, letters, frozen, variables) = ([], [], [], [], [])
  }

  /// Lets go of everything but the file.
  func leave() {
    if isWriting { here?.realm.cancelWrite() }
    letGoOfAll()
    here = nil
    queue.sync { there = nil }
  }

  func open() throws {
    let realm = try Realm(configuration: configuration)
    if Engine.offersReins { realm.autorefresh = false }
    // Whoever still held the old one would get it again.
    realm.refresh()
    if realm.isEmpty != newest.rows.isEmpty { walked = "isEmpty is wrong in a realm just opened" }
    here = Reader(name: "the realm", realm: realm, state: newest)
  }

  func nextBirth() -> Int {
    lastBirth += 1
    return lastBirth
  }

  // MARK: Acts

  /// Does it on both sides; says what was wrong by then, if anything.
  private func take(_ act: WideProgram.Act) throws -> String? {
    guard let realm = here?.realm else { return "the realm is gone" }
    switch act.verb {
    case .put, .create, .delete, .deleteMany, .replace, .set, .setAll, .edit, .embedded, .graph,
      .nested,
      .run, .walk:
      if act.isThere, !isWriting { try thereWrites([act]) } else { try hereWrites(act, realm) }
    case .commits:
      if isWriting { break }
      for number in 0..<(act.value % 3 == 0 ? 40 : 5) {
        try thereWrites([act.asChange(number)])
      }
    case .later: if !isWriting, Engine.offersReins { return try writeLater(act, realm) }
    case .fail: if !isWriting { return try failToCommit(act, realm) }
    case .away: if !isWriting { return try goAway(act) }
    case .copy: if !isWriting || Engine.offersReins { return try copy(act, realm) }
    case .copyOut: if Engine.offersReins { return copyOut(act) }
    case .stroll: if !isWriting { return try stroll(act, realm) }
    case .variable: return variable(act, realm)
    case .begin: if !isWriting { begin(realm) }
    case .commit: if isWriting { return try commit(realm) }
    case .cancel: if isWriting { return cancel(realm) }
    case .refresh: return refreshHere(realm)
    case .otherRefreshes:
      refreshThere()
      return attendedOnActor()
    case .neighbour: if !isWriting { return askNeighbour(act) }
    case .perform: if !isWriting, Engine.offersReins { return perform(act) }
    case .attend: if !isWriting, Engine.offersReins { return attend(act) }
    case .spin: return try spin(realm)
    case .invalidate: if Engine.offersReins { return invalidate(realm) }
    case .reopen: if !isWriting { try reopen() }
    case .freeze: freeze(realm, act)
    case .thaw: return thaw(act)
    case .letGo: letGo(act)
    case .hold: holdObject(act)
    case .holdMember: holdMember(act)
    case .ask: holdQuestion(act)
    case .send: send(act)
    case .receive: return receive(act)
    case .listen: if !isWriting { return listen(act, realm) }
    case .endListening:
      if !mirrors.isEmpty { mirrors.remove(at: act.value % mirrors.count).end() }
    case .quietly: if !isWriting { return try writeQuietly(act, realm) }
    }
    return nil
  }

  private func begin(_ realm: Realm) {
    realm.beginWrite()
    isWriting = true
    here?.state = newest
  }

  private func commit(_ realm: Realm) throws -> String? {
    let calls = realmCalls
    try realm.commitWrite()
    wasCommitted()
    return realmToken != nil && realmCalls == calls
      ? "a listener of the realm is not told of a commit" : nil
  }

  @discardableResult
  private func cancel(_ realm: Realm) -> String? {
    let calls = realmCalls
    realm.cancelWrite()
    wasCancelled()
    return realmCalls == calls ? nil : "a listener of the realm is told of a cancelled write"
  }

  /// The model's part of that.
  func wasCancelled() {
    isWriting = false
    here?.state = newest
    touched.cancel()
  }

  /// The model's part of a commit.
  func wasCommitted() {
    isWriting = false
    if let state = here?.state { newest = state }
    touched.commit()
  }

  /// A change in the write that is open, or in one of its own, which ends in one of the ways there
  /// are.
  private func hereWrites(_ act: WideProgram.Act, _ realm: Realm) throws {
    if isWriting { return change(act, isHere: true) }
    struct Unwanted: Error {}
    switch act.member / 7 % 8 {
    case 0:
      // By a block that throws.
      _ = try? realm.write {
        here?.state = newest
        change(act, isHere: true)
        throw Unwanted()
      }
      here?.state = newest
      touched.cancel()
      return
    case 1:
      try realm.write {
        here?.state = newest
        change(act, isHere: true)
        try realm.commitWrite()
      }
    case 2:
      try realm.write {
        here?.state = newest
        change(act, isHere: true)
        realm.cancelWrite()
      }
      here?.state = newest
      touched.cancel()
      return
    default:
      try realm.write {
        here?.state = newest
        change(act, isHere: true)
      }
    }
    if let state = here?.state { newest = state }
    touched.commit()
  }

  func thereWrites(_ acts: [WideProgram.Act]) throws {
    there?.state = newest
    try queue.sync {
      guard let realm = there?.realm else { return }
      try realm.write { for act in acts { change(act, isHere: false) } }
    }
    if let state = there?.state { newest = state }
    touched.commit()
  }

  func refreshThere() {
    there?.state = newest
    queue.sync {
      _ = there?.realm.refresh()
      if let complaint = attendedThere() { walked = walked ?? complaint }
    }
  }

  private func refreshHere(_ realm: Realm) -> String? {
    if isWriting {
      return realm.refresh() ? "refresh() in a write says that it moved" : nil
    }
    realm.refresh()
    here?.state = newest
    return attended() ?? attendedOnActor()
  }

  func keep(_ keepsake: Keepsake) {
    if keepsakes.count >= WideRun.mostHeld { keepsakes.remove(at: 3) }
    keepsakes.append(keepsake)
  }
}

extension WideProgram.Act {
  /// One of many changes that it stands for.
  func asChange(_ number: Int) -> WideProgram.Act {
    let verb: WideProgram.Verb = [.set, .set, .edit, .put, .replace, .set, .delete][
      (number + value) % 7]
    return WideProgram.Act(
      verb: verb, isThere: true, row: (row + number % 5) % 36,
      member: (member + number * 7) % 1_296,
      value: (value + number) % 36, salt: salt)
  }
}

extension Array {
  /// One of the last three, or now and then any, by a number.
  func oneOfTheLast(_ number: Int) -> Element {
    number % 4 == 0
      ? self[number / 4 % count] : self[count - 1 - number / 4 % Swift.min(3, count)]
  }
}
