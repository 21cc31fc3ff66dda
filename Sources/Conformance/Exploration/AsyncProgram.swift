import Harness

/// A random program of asynchronous work over two files, three queues and two actors: who does
/// what, in which order.
///
/// Its text says everything, two letters an act, so that a shorter program is a shorter text:
/// queues 1 and 2 and actor 4 write to file A, queue 3 and actor 5 to file B.
struct AsyncProgram: Sendable, Equatable {
  struct Act: Sendable, Equatable {
    let who: Int
    let verb: Verb
  }

  enum Verb: Character, Sendable, CaseIterable {
    case write = "w"
    case writeGrouped = "g"
    /// Begun where the realm is at home, committed in the background; an actor: written by a task
    /// of its own.
    case beginHere = "b"
    /// Written from inside the block of another write.
    case nested = "n"
    case writeSync = "s"
    case cancelSync = "y"
    /// Cancels what was asked for last; an actor: a task that is cancelled at once.
    case cancel = "c"
    /// A write that throws, or that ends without a commit.
    case refrain = "e"
    case refresh = "r"
    case look = "l"
    case invalidate = "i"
    /// Drops the realm and opens it again.
    case reopen = "x"
  }

  static let queues = 1...3
  static let actors = 4...5

  var acts: [Act]

  init(_ acts: [Act]) { self.acts = acts }

  /// Draws a program.
  init(seed: UInt64) {
    var dice = SplitMix(seed: seed)
    let length = Int.random(in: 6...28, using: &dice)
    // Writing is what the programs are about.
    let verbs = Verb.allCases + [.write, .write, .writeGrouped, .beginHere, .writeSync]
    acts = (0..<length).map { _ in
      Act(who: Int.random(in: 1...5, using: &dice), verb: verbs.randomElement(using: &dice)!)
    }
  }

  init?(_ text: String) {
    let letters = Array(text)
    guard letters.count % 2 == 0 else { return nil }
    acts = []
    for place in stride(from: 0, to: letters.count, by: 2) {
      guard let who = letters[place].wholeNumberValue, (1...5).contains(who),
        let verb = Verb(rawValue: letters[place + 1])
      else { return nil }
      acts.append(Act(who: who, verb: verb))
    }
  }

  var text: String { acts.map { "\($0.who)\($0.verb.rawValue)" }.joined() }

  /// What is left when runs of acts are taken out.
  var shorter: [AsyncProgram] { acts.shorter.map { AsyncProgram($0) } }
}
