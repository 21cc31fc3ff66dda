import Harness

/// A random program over objects of all kinds, two realms of one file and whatever a user keeps of
/// them, which goes the same way every time: so a model in memory can say what must be read.
///
/// Its text says everything, eight letters an act: what is done, by which realm, to which row, with
/// which member and value, and what is asked then. Each act makes sense after any other.
struct WideProgram: Sendable, Equatable {
  enum Verb: Character, Sendable, CaseIterable {
    // Changes of rows.
    /// Adds an object: another one, or over the one that is there.
    case put = "p"
    /// `create(value:, update:)` with some members.
    case create = "c"
    case delete = "d"
    /// Deletes results, a list's members, or everything.
    case deleteMany = "D"
    /// Deletes and adds another under the key, in one write.
    case replace = "r"
    case set = "s"
    /// Sets a number of many objects by its name.
    case setAll = "B"
    case edit = "e"
    case embedded = "m"
    /// Adds, changes or deletes a run of many rows.
    case run = "R"
    /// Many commits of one row each.
    case commits = "C"
    /// Goes through members and deletes or changes some meanwhile.
    case walk = "w"
    /// The same outside a write, while another realm writes and this one comes to it.
    case stroll = "W"
    /// Adds objects that lead to each other, in a circle, too, by adding one of them.
    case graph = "G"
    /// Changes a collection in a mixed value where it lies.
    case nested = "n"
    // Writes of the realm here.
    case begin = "b"
    case commit = "k"
    case cancel = "x"
    /// Several asynchronous writes, which end in all the ways there are.
    case later = "a"
    /// A write whose commit fails.
    case fail = "F"
    // Where realms are.
    case refresh = "f"
    case otherRefreshes = "v"
    case spin = "l"
    case invalidate = "i"
    case reopen = "o"
    /// A realm on a thread of its own, which ends with it.
    case away = "A"
    /// A copy of the file.
    case copy = "y"
    /// A copy of an object, which is nobody's.
    case copyOut = "u"
    // What is kept.
    case freeze = "z"
    case thaw = "t"
    case letGo = "g"
    case hold = "h"
    case holdMember = "H"
    case ask = "q"
    case send = "S"
    case receive = "V"
    /// Makes a variable that all threads may read, or reads all there are.
    case variable = "T"
    /// Another process writes, reads or keeps a version.
    case neighbour = "N"
    // Actors.
    /// An actor's asynchronous write, which ends in one of the ways there are.
    case perform = "P"
    /// Listens on another actor than the one that has what it listens to.
    case attend = "O"
    // Listeners.
    case listen = "L"
    case endListening = "E"
    /// A write that one listener is not told of.
    case quietly = "Q"
  }

  struct Act: Sendable, Equatable {
    let verb: Verb
    /// By the other realm, on its queue.
    let isThere: Bool
    let row: Int
    let member: Int
    let value: Int
    /// What is asked after it.
    let salt: Int

    var text: String {
      func letters(_ number: Int, _ count: Int) -> String {
        let digits = String(number, radix: 36)
        return String(repeating: "0", count: count - digits.count) + digits
      }
      return "\(verb.rawValue)\(isThere ? "t" : "h")" + letters(row, 1) + letters(member, 2)
        + letters(value, 1) + letters(salt, 2)
    }
  }

  /// What engines are asked too seldom by chance.
  private static let scenes: [[Verb]] = [
    [.hold, .begin, .delete, .cancel], [.begin, .hold, .replace, .cancel],
    [.hold, .holdMember, .begin, .replace, .cancel, .refresh],
    [.delete, .begin, .put, .hold, .holdMember, .cancel, .put], [.begin, .hold, .delete, .commit],
    [.hold, .holdMember, .replace, .refresh], [.hold, .delete, .refresh, .put, .refresh],
    [.hold, .freeze, .replace, .thaw], [.hold, .freeze, .delete, .thaw, .put, .thaw],
    [.hold, .send, .replace, .receive], [.holdMember, .send, .delete, .receive],
    [.holdMember, .freeze, .edit, .thaw], [.holdMember, .edit, .send, .edit, .receive],
    [.begin, .hold, .send, .commit, .receive], [.ask, .set, .set], [.ask, .begin, .set, .cancel],
    [.ask, .freeze, .set, .thaw], [.run, .ask, .run], [.begin, .delete, .put, .hold, .commit],
    [.listen, .set, .refresh], [.listen, .edit, .refresh], [.listen, .replace, .refresh],
    [.listen, .put, .refresh, .put, .refresh], [.listen, .delete, .refresh],
    [.listen, .set, .set, .refresh], [.listen, .begin, .set, .cancel, .refresh],
    [.hold, .variable, .replace, .variable],
    [.begin, .hold, .variable, .replace, .commit, .variable],
    [.begin, .put, .hold, .variable, .cancel, .put, .variable], [.graph, .holdMember, .graph],
    [.hold, .later, .refresh], [.listen, .later, .refresh], [.hold, .fail, .set],
    [.listen, .fail, .set, .refresh], [.begin, .hold, .send, .replace, .commit, .receive],
    [.hold, .begin, .invalidate, .hold, .freeze, .replace, .thaw],
    [.begin, .hold, .deleteMany, .put, .cancel], [.set, .nested, .nested], [.run, .walk, .run],
    [.run, .stroll, .refresh], [.ask, .setAll, .ask], [.ask, .setAll, .cancel],
    [.listen, .setAll, .refresh],
    [.holdMember, .edit, .hold, .edit], [.ask, .edit, .set, .refresh], [.run, .setAll, .run],
    [.holdMember, .begin, .edit, .edit, .cancel], [.listen, .run, .setAll, .refresh],
    [.freeze, .run, .delete, .commits], [.hold, .away, .refresh], [.ask, .copy],
    [.hold, .neighbour, .refresh], [.listen, .neighbour, .refresh], [.neighbour, .run, .neighbour],
    [.neighbour, .commits, .neighbour], [.hold, .freeze, .neighbour, .thaw],
    [.hold, .send, .neighbour, .receive], [.begin, .put, .commit, .neighbour],
    [.copyOut, .replace, .copyOut], [.begin, .edit, .copyOut, .cancel, .copyOut],
    [.nested, .copyOut, .nested, .copyOut], [.begin, .edit, .copy, .cancel], [.nested, .copy],
    [.attend, .set, .refresh], [.attend, .edit, .refresh], [.attend, .delete, .refresh],
    [.attend, .replace, .refresh], [.attend, .perform, .refresh], [.attend, .put, .perform],
    [.attend, .set, .set, .refresh], [.attend, .run, .setAll, .refresh],
    [.hold, .send, .replace, .perform], [.holdMember, .send, .edit, .perform],
    [.listen, .perform, .refresh], [.hold, .perform, .refresh],
    [.listen, .embedded, .refresh], [.listen, .delete, .put, .refresh], [.listen, .run, .refresh],
  ]

  static let rows = 0..<36
  static let members = 0..<1_296
  private static let lettersOfAct = 8

  var acts: [Act]

  init(_ acts: [Act]) { self.acts = acts }

  /// Draws a program in which some acts come more often than others.
  init(seed: UInt64, _ weights: [Verb: Int], length: ClosedRange<Int>, there: Int = 4) {
    var dice = SplitMix(seed: seed)
    let verbs = Verb.allCases.flatMap { verb in
      Array(repeating: verb, count: max(0, weights[verb] ?? 0))
    }
    // A few rows that acts meet, of all classes; others now and then.
    let few =
      (0..<10).map { _ in Int.random(in: Self.rows, using: &dice) }
      + (0..<4).map { _ in Int.random(in: 0..<12, using: &dice) }
    func act(_ verb: Verb) -> Act {
      Act(
        verb: verb, isThere: Int.random(in: 0..<there, using: &dice) == 0,
        row: Int.random(in: 0..<6, using: &dice) == 0
          ? Int.random(in: Self.rows, using: &dice) : few.randomElement(using: &dice)!,
        member: Int.random(in: Self.members, using: &dice),
        value: Int.random(in: Self.rows, using: &dice),
        salt: Int.random(in: Self.members, using: &dice))
    }
    let scenes = Self.scenes.filter { $0.allSatisfy { (weights[$0] ?? 0) > 0 } }
    // Questions to nothing; then something to begin with.
    acts = (0..<3).map { _ in act(.ask) }
    acts += (0..<6).map { _ in act(.put) } + (0..<6).map { _ in act(.edit) }
    let end = acts.count + Int.random(in: length, using: &dice)
    while acts.count < end {
      if Int.random(in: 0..<4, using: &dice) > 0 {
        acts.append(act(verbs.randomElement(using: &dice)!))
        continue
      }
      // A few acts about one row, with others in between.
      let subject = act(.put)
      for verb in scenes.randomElement(using: &dice)! {
        if Int.random(in: 0..<4, using: &dice) == 0 {
          acts.append(act(verbs.randomElement(using: &dice)!))
        }
        let one = act(verb)
        acts.append(
          Act(
            verb: verb, isThere: subject.isThere, row: subject.row,
            member: Int.random(in: 0..<3, using: &dice) == 0 ? one.member : subject.member,
            value: one.value, salt: one.salt))
      }
    }
  }

  init?(_ text: String) {
    let letters = Array(text)
    guard letters.count % Self.lettersOfAct == 0 else { return nil }
    acts = []
    for place in stride(from: 0, to: letters.count, by: Self.lettersOfAct) {
      func number(_ start: Int, _ count: Int) -> Int? {
        Int(String(letters[(place + start)..<(place + start + count)]), radix: 36)
      }
      guard let verb = Verb(rawValue: letters[place]), let row = number(2, 1),
        let member = number(3, 2), let value = number(5, 1), let salt = number(6, 2)
      else { return nil }
      acts.append(
        Act(
          verb: verb, isThere: letters[place + 1] == "t", row: row, member: member, value: value,
          salt: salt))
    }
  }

  var text: String { acts.map(\.text).joined() }
}
