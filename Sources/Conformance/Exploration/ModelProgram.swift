import Harness

/// A random program of one thread over one file and two realms, which goes the same way every time:
/// so a model in memory can say what each of its versions must hold.
///
/// Its text says everything, three letters an act: what is done, to which row, with which value.
/// Each act makes sense after any other, so that every part of a program is a program.
struct ModelProgram: Sendable, Equatable {
  enum Verb: Character, Sendable, CaseIterable {
    /// Adds the row, or puts another one in its place.
    case put = "p"
    case delete = "d"
    case setNumber = "n"
    case setText = "t"
    case append = "a"
    case insert = "i"
    case remove = "r"
    case link = "l"
    case begin = "b"
    case commit = "c"
    case cancel = "x"
    case refresh = "f"
    case invalidate = "k"
    /// Drops the realm and opens it again.
    case reopen = "o"
    case freeze = "z"
    case letGo = "g"
    /// Keeps an object, which then shows what its realm shows.
    case hold = "h"
    /// Asks every version a question with an order, a condition and a sum.
    case query = "q"
    /// The other realm, at home on a queue, writes.
    case otherWrites = "w"
    case otherRefreshes = "v"
  }

  struct Act: Sendable, Equatable {
    let verb: Verb
    let key: Int
    let value: Int
  }

  /// Few rows, so that acts meet.
  static let keys = 0..<12
  static let values = 0..<36

  var acts: [Act]

  init(_ acts: [Act]) { self.acts = acts }

  /// Draws a program.
  init(seed: UInt64) {
    var dice = SplitMix(seed: seed)
    // Changes are what versions differ by, and writes that span several of them. What takes all
    // objects away comes seldom.
    let verbs =
      Verb.allCases + [.put, .put, .put, .delete, .setNumber, .setText, .append, .append, .insert]
      + [.begin, .begin, .commit, .cancel, .freeze, .hold, .hold, .hold, .otherWrites, .query]
    let length = Int.random(in: 40...160, using: &dice)
    acts = (0..<length).map { _ in
      Act(
        verb: verbs.randomElement(using: &dice)!, key: Int.random(in: Self.keys, using: &dice),
        value: Int.random(in: Self.values, using: &dice))
    }
  }

  init?(_ text: String) {
    let letters = Array(text)
    guard letters.count % 3 == 0 else { return nil }
    acts = []
    for place in stride(from: 0, to: letters.count, by: 3) {
      guard let verb = Verb(rawValue: letters[place]),
        let key = Int(String(letters[place + 1]), radix: 36), Self.keys.contains(key),
        let value = Int(String(letters[place + 2]), radix: 36)
      else { return nil }
      acts.append(Act(verb: verb, key: key, value: value))
    }
  }

  var text: String { acts.map(\.text).joined() }
}

extension ModelProgram.Act {
  var text: String {
    "\(verb.rawValue)\(String(key, radix: 36))\(String(value, radix: 36))"
  }

  /// The number that it sets: small ones of which many are alike, and the ends of the range.
  var number: Int { value == 35 ? .max : value == 34 ? .min : value - 10 }

  /// The text that it sets: from nothing to more than fits beside other rows.
  var words: String {
    let length = value == 35 ? 20_000 : [0, 3, 12, 70, 900][value % 5]
    return String(repeating: String(value % 10), count: length)
  }
}
