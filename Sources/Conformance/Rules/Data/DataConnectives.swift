import EngineUnderTest
import Foundation
import Harness

/// Conditions that are joined by NOT, AND and OR in every way of a small size, in each spelling.
enum Connectives {
  private indirect enum Clause {
    case atom(Int)
    case not(Clause)
    case and(Clause, Clause)
    case or(Clause, Clause)

    func holds(_ bits: Int) -> Bool {
      switch self {
      case .atom(let number): bits >> number & 1 == 1
      case .not(let one): !one.holds(bits)
      case .and(let one, let other): one.holds(bits) && other.holds(bits)
      case .or(let one, let other): one.holds(bits) || other.holds(bits)
      }
    }

    /// How tightly it holds together.
    private var rank: Int {
      switch self {
      case .atom: 3
      case .not: 2
      case .and: 1
      case .or: 0
      }
    }

    func spelled(_ spelling: Spelling) -> String {
      func part(_ one: Clause, _ least: Int) -> String {
        let text = one.spelled(spelling)
        return one.rank < least || (spelling.isFull && one.rank < 3) ? "(\(text))" : text
      }
      switch self {
      case .atom(let number): return Connectives.atoms[number]
      case .not(let one):
        // A second one would stand before a condition that is none.
        return "\(spelling.not)\(part(one, 3))"
      case .and(let one, let other): return "\(part(one, 1)) \(spelling.and) \(part(other, 1))"
      case .or(let one, let other): return "\(part(one, 0)) \(spelling.or) \(part(other, 0))"
      }
    }

    func asked(_ query: Query<Specimen>) -> Query<Bool> {
      switch self {
      case .atom(0): query.amount >= 2
      case .atom(1): query.word == "x"
      case .atom: query.ratio < 1
      case .not(let one): !one.asked(query)
      case .and(let one, let other): one.asked(query) && other.asked(query)
      case .or(let one, let other): one.asked(query) || other.asked(query)
      }
    }
  }

  private struct Spelling {
    let not: String
    let and: String
    let or: String
    /// With parentheses around everything.
    var isFull = false
  }

  private static let atoms = ["amount >= 2", "word == 'x'", "ratio < 1"]

  static let probe = Probe("NOT, AND, OR and parentheses in each place, by each spelling") {
    stage in
    let realm = try Realm(configuration: stage.specimens())
    try realm.write {
      for bits in 0..<8 {
        let specimen = Specimen(id: bits)
        specimen.amount = bits & 1 == 1 ? 2 : 1
        specimen.word = bits & 2 == 2 ? "x" : "y"
        specimen.ratio = bits & 4 == 4 ? 0.5 : 1
        realm.add(specimen)
      }
    }
    let all = realm.objects(Specimen.self)
    let spellings = [
      Spelling(not: "NOT ", and: "AND", or: "OR"), Spelling(not: "not ", and: "and", or: "or"),
      Spelling(not: "!", and: "&&", or: "||", isFull: true),
      Spelling(not: "NOT ", and: "&&", or: "||"),
    ]
    let simple = (0..<3).map { Clause.atom($0) }
    func joined(_ ones: [Clause], _ others: [Clause]) -> [Clause] {
      ones.flatMap { one in others.flatMap { [.and(one, $0), .or(one, $0)] } }
    }
    let small = simple + simple.map { .not($0) } + joined(simple, simple)
    let clauses = small + small.map { .not($0) } + joined(small, simple) + joined(simple, small)
    for (number, clause) in clauses.enumerated() {
      let ids = (0..<8).filter { clause.holds($0) }
      for (place, spelling) in spellings.enumerated()
      where place == 0 || stage.isDue(place + 3 * number, of: 4) {
        let text = clause.spelled(spelling)
        stage.equal(all.filter(text).map(\.id), ids, "what \(text) finds")
      }
      if stage.isDue(number, of: 2) {
        let text = clause.spelled(spellings[0])
        stage.equal(
          all.where { clause.asked($0) }.map(\.id), ids, "what it finds in Swift: \(text)")
      }
    }
  }
}
