import Harness

/// A random program of two realms: one whose collections are listened to, and another that writes
/// few rows or many at a time, so that engines find out in different ways what to tell.
///
/// Its text says everything, three letters an act, as a `ModelProgram`'s does.
struct NewsProgram: Sendable, Equatable {
  enum Verb: Character, Sendable, CaseIterable {
    // What the other realm does to a run of rows.
    case put = "p"
    case delete = "d"
    case setNumber = "n"
    /// Deletes them, and adds others under their keys.
    case replace = "r"
    case link = "l"
    /// Appends them to the list that is listened to, or empties it.
    case list = "a"
    // What the realm with the listeners does.
    case ownWrite = "w"
    case cancelledWrite = "x"
    case refresh = "f"
    /// Ends a listener and begins it again.
    case again = "e"
    /// Waits until all has been told.
    case attend = "t"
  }

  struct Act: Sendable, Equatable {
    let verb: Verb
    let place: Int
    let value: Int

    /// The rows: from one to thousands, so that runs meet.
    var keys: Range<Int> {
      let sizes = [1, 3, 40, 300, 520, 700, 1_500, 3_000, 9_000]
      let first = 1 + place * 90
      return first..<(first + sizes[value % sizes.count])
    }

    var text: String {
      "\(verb.rawValue)\(String(place, radix: 36))\(String(value, radix: 36))"
    }
  }

  static let letters = 0..<36

  var acts: [Act]

  init(_ acts: [Act]) { self.acts = acts }

  /// Draws a program.
  init(seed: UInt64) {
    var dice = SplitMix(seed: seed)
    let verbs = Verb.allCases + [.put, .put, .setNumber, .setNumber, .replace, .attend, .attend]
    acts = (0..<Int.random(in: 6...24, using: &dice)).map { _ in
      Act(
        verb: verbs.randomElement(using: &dice)!, place: Int.random(in: Self.letters, using: &dice),
        value: Int.random(in: Self.letters, using: &dice))
    }
  }

  init?(_ text: String) {
    let letters = Array(text)
    guard letters.count % 3 == 0 else { return nil }
    acts = []
    for index in stride(from: 0, to: letters.count, by: 3) {
      guard let verb = Verb(rawValue: letters[index]),
        let place = Int(String(letters[index + 1]), radix: 36),
        let value = Int(String(letters[index + 2]), radix: 36)
      else { return nil }
      acts.append(Act(verb: verb, place: place, value: value))
    }
  }

  var text: String { acts.map(\.text).joined() }
}
