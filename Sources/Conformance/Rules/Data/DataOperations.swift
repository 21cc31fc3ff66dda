import EngineUnderTest
import Foundation

/// Each comparison of numbers over each kind of path: a property, one behind links, the members of
/// a collection, whole numbers and fractions beside each other.
extension Spellings {
  /// A path to numbers, as it stands in a format, and what is there. `nil` stands for what is null,
  /// or behind a link that leads nowhere.
  private struct NumberPath {
    let words: String
    let numbers: (Row) -> [Double?]
    /// Of what a path finds several of: how many must have it.
    var judge: ([Bool]) -> Bool = { $0[0] }

    func asked(_ quantifier: String, _ judge: @escaping ([Bool]) -> Bool) -> NumberPath {
      NumberPath(words: "\(quantifier) \(words)", numbers: numbers, judge: judge)
    }

    var quantified: [NumberPath] {
      [
        asked("ANY") { $0.contains(true) }, asked("ALL") { !$0.contains(false) },
        asked("NONE") { !$0.contains(true) },
      ]
    }
  }

  private static func of(_ link: Int?, _ value: (Row) -> Double?) -> Double? {
    link.flatMap { value(rows[$0 - 1]) }
  }

  private static var numberPaths: [NumberPath] {
    [
      NumberPath(words: "number", numbers: { [Double($0.number)] }),
      NumberPath(words: "maybe", numbers: { [$0.maybe.map(Double.init)] }),
      NumberPath(words: "ratio", numbers: { [$0.ratio] }),
      NumberPath(words: "link.number", numbers: { [of($0.link) { Double($0.number) }] }),
      NumberPath(words: "link.maybe", numbers: { [of($0.link) { $0.maybe.map(Double.init) }] }),
      NumberPath(words: "link.ratio", numbers: { [of($0.link) { $0.ratio }] }),
      NumberPath(
        words: "link.link.number",
        numbers: { row in [of(row.link) { of($0.link) { Double($0.number) } }] }),
    ]
      + NumberPath(words: "numbers", numbers: { $0.numbers.map(Double.init) }).quantified
      + NumberPath(
        words: "links.number", numbers: { $0.links.map { Double(rows[$0 - 1].number) } }
      ).quantified
      + NumberPath(words: "links.ratio", numbers: { $0.links.map { rows[$0 - 1].ratio } })
      .quantified
      + [
        NumberPath(
          words: "ANY links.maybe",
          numbers: { $0.links.map { rows[$0 - 1].maybe.map(Double.init) } },
          judge: { $0.contains(true) })
      ]
  }

  /// A comparison in words, with its constants in the format or as arguments.
  private struct Operation {
    let words: String
    var arguments: [Any] = []
    let holds: (Double) -> Bool
  }

  private static var operations: [Operation] {
    let orders: [(String, (Double, Double) -> Bool)] = [
      ("==", { $0 == $1 }), ("<", { $0 < $1 }), ("<=", { $0 <= $1 }), (">", { $0 > $1 }),
      (">=", { $0 >= $1 }),
    ]
    let bounds: [(Double, Double)] = [(0, 2), (1, 3), (-0.5, 0.5), (2, 1), (1, 1), (0.5, 1.5)]
    let choices: [[Double]] = [[1], [1, 3], [0.5, 1], [0.5], [-0.5, 2, 7], []]
    func word(_ number: Double, asFraction: Bool) -> String {
      number == number.rounded() && !asFraction ? "\(Int(number))" : "\(number)"
    }
    func argument(_ number: Double, asFraction: Bool) -> Any {
      number == number.rounded() && !asFraction ? Int(number) : number
    }
    return [false, true].flatMap { isFraction in
      func words(_ numbers: [Double]) -> String {
        "{" + numbers.map { word($0, asFraction: isFraction) }.joined(separator: ", ") + "}"
      }
      func arguments(_ numbers: [Double]) -> [Any] {
        [numbers.map { argument($0, asFraction: isFraction) }]
      }
      return orders.flatMap { sign, holds in
        [-1, 0, 0.5, 1, 2].flatMap { number in
          [
            Operation(words: "\(sign) \(word(number, asFraction: isFraction))") {
              holds($0, number)
            },
            Operation(
              words: "\(sign) %@", arguments: [argument(number, asFraction: isFraction)]
            ) { holds($0, number) },
          ]
        }
      }
        + bounds.flatMap { low, high in
          [
            Operation(words: "BETWEEN \(words([low, high]))") { low <= $0 && $0 <= high },
            Operation(words: "BETWEEN %@", arguments: arguments([low, high])) {
              low <= $0 && $0 <= high
            },
          ]
        }
        + choices.flatMap { numbers in
          [
            Operation(words: "IN \(words(numbers))") { numbers.contains($0) },
            Operation(words: "IN %@", arguments: arguments(numbers)) { numbers.contains($0) },
          ]
        }
    }
  }

  static let operationsProbe = Probe("each comparison of numbers, over each kind of path") {
    stage in
    let realm = try stocked(stage)
    let all = realm.objects(Vessel.self).where { $0.id < 100 }.sorted(byKeyPath: "id")
    for path in numberPaths {
      for operation in operations {
        let question = Question(
          format: "\(path.words) \(operation.words)", arguments: operation.arguments
        ) { row in path.judge(path.numbers(row).map { $0.map(operation.holds) ?? false }) }
        let ids = rows.filter(question.holds).map(\.id)
        stage.equal(
          question.ask(all), ids, "what \(question.format) of \(operation.arguments) finds")
      }
    }
  }
}
