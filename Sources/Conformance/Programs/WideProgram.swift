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
    case edit = "e"
    case embedded = "m"
    /// Adds, changes or deletes a run of many rows.
    case run = "R"
    /// Many commits of one row each.
    case commits = "C"
    // Writes of the realm here.
    case begin = "b"
    case commit = "k"
    case cancel = "x"
    // Where realms are.
    case refresh = "f"
    case otherRefreshes = "v"
    case spin = "l"
    case invalidate = "i"
    case reopen = "o"
    // What is kept.
    case freeze = "z"
    case thaw = "t"
    case letGo = "g"
    case hold = "h"
    case holdMember = "H"
    case ask = "q"
    case send = "S"
    case receive = "V"
    // Listeners.
    case listen = "L"
    case endListening = "E"
    case attend = "a"
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

  static let rows = 0..<36
  static let members = 0..<1_296
  private static let lettersOfAct = 8

  var acts: [Act]

  init(_ acts: [Act]) { self.acts = acts }

  /// Draws a program in which some acts come more often than others.
  init(seed: UInt64, _ weights: [Verb: Int], length: ClosedRange<Int>) {
    var dice = SplitMix(seed: seed)
    let verbs = Verb.allCases.flatMap { verb in
      Array(repeating: verb, count: weights[verb] ?? 0)
    }
    // A few rows that acts meet, of all classes; others now and then.
    let few = (0..<10).map { _ in Int.random(in: Self.rows, using: &dice) }
      + (0..<4).map { _ in Int.random(in: 0..<12, using: &dice) }
    func act(_ verb: Verb) -> Act {
      Act(
        verb: verb, isThere: Int.random(in: 0..<4, using: &dice) == 0,
        row: Int.random(in: 0..<6, using: &dice) == 0
          ? Int.random(in: Self.rows, using: &dice) : few.randomElement(using: &dice)!,
        member: Int.random(in: Self.members, using: &dice),
        value: Int.random(in: Self.rows, using: &dice),
        salt: Int.random(in: Self.members, using: &dice))
    }
    // Something to begin with.
    acts = (0..<6).map { _ in act(.put) } + (0..<6).map { _ in act(.edit) }
    acts += (0..<Int.random(in: length, using: &dice)).map { _ in act(verbs.randomElement(using: &dice)!) }
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
