import Foundation
import Testing

@testable import ReferenceEngine

private typealias Predicate = ReferenceEngine.Predicate

/// Every operator over every kind of property, against the naive evaluation of the same predicate.
@Suite struct QueryOperatorTests {
  @Test func `random predicates find what a naive evaluation finds`() throws {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    let scratch = Scratch()
    let world = try SampleWorld(rows: 300, in: scratch, using: &random)
    let naive = NaiveQuery(facts: world.facts)
    let all = world.realm.objects(Sample.self)
    for round in 0..<SampleWorld.rounds {
      let predicate = RandomPredicate(world).predicate(depth: round % 4, using: &random)
      let expected = world.facts.indices.filter { naive.holds(predicate, .row($0)) }
      let results = Results<Sample>(all.state.filtered(by: predicate))
      let found = results.map(\.id)
      #expect(found == expected, "round \(round): \(predicate)")
      #expect(Results<Sample>(all.state.filtered(by: predicate)).count == expected.count)
      guard found == expected else {
        for part in predicate.leaves {
          let wrong = world.facts.indices.filter {
            let isFound = Results<Sample>(all.state.filtered(by: part)).index(
              matching: "id == %@", $0)
            return naive.holds(part, .row($0)) != (isFound != nil)
          }
          print("wrong for \(part): \(wrong)")
        }
        return
      }
    }
  }

  @Test func `lists of links and of values are filtered alike`() throws {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    let scratch = Scratch()
    let world = try SampleWorld(rows: 60, in: scratch, using: &random)
    let naive = NaiveQuery(facts: world.facts)
    for sample in world.realm.objects(Sample.self) {
      let facts = world.facts[sample.id]
      let predicate = RandomPredicate(world).predicate(depth: 1, using: &random)
      #expect(
        Results<Sample>(sample.links._source.state.filtered(by: predicate)).map(\.id)
          == facts.links.filter { naive.holds(predicate, .row($0)) }, "\(predicate)")
      #expect(
        sample.ints.filter("SELF > 0").map { Int64($0) }
          == facts.many["ints"]!.map(\.number).filter { $0 > 0 })
      #expect(
        sample.ints.where { $0 <= 3 }.count
          == facts.many["ints"]!.count { $0.number <= 3 })
    }
  }
}

/// Predicates that make sense for samples: each property with the operators it has, mostly with
/// constants that occur.
private struct RandomPredicate {
  let world: SampleWorld

  init(_ world: SampleWorld) { self.world = world }

  func predicate(depth: Int, using random: inout Dice) -> Predicate {
    if depth > 0 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: return .not(predicate(depth: depth - 1, using: &random))
      case 1, 2:
        return .all((0..<2).map { _ in predicate(depth: depth - 1, using: &random) })
      case 3: return .any((0..<2).map { _ in predicate(depth: depth - 1, using: &random) })
      default: break
      }
    }
    return .comparison(comparison(using: &random))
  }

  private func comparison(using random: inout Dice) -> Comparison {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return aggregate(using: &random)
    case 1: return subquery(using: &random)
    case 2: return link(using: &random)
    case 3: return twoProperties(using: &random)
    default: break
    }
    let (path, type) = path(using: &random)
    let quantifiers: [Comparison.Quantifier] = [.any, .any, .any, .all, .none]
    let quantifier = quantifiers.randomElement(using: &random)!
    return Comparison(
      quantifier: isMany(path) || type == .any ? quantifier : .any, left: .path(path),
      comparedTo: constants(type, using: &random), type, using: &random)
  }

  private func path(
    using random: inout Dice
  ) -> (PropertyPath, PropertyType) {
    var steps: [PropertyPath.Step] = []
    for _ in 0..<[0, 0, 0, 1, 1, 2].randomElement(using: &random)! {
      steps.append(.property(["link", "links", "linkers"].randomElement(using: &random)!))
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      let (name, type) = SampleWorld.manies.randomElement(using: &random)!
      return (PropertyPath(steps + [.property(name)]), type)
    case 1:
      let step: PropertyPath.Step = [.key("eur"), .key("none"), .allValues].randomElement(
        using: &random)!
      return (PropertyPath(steps + [.property("prices"), step]), .int)
    case 2: return (PropertyPath(steps + [.property("prices"), .allKeys]), .string)
    default:
      let (name, type) = SampleWorld.singles.randomElement(using: &random)!
      return (PropertyPath(steps + [.property(name)]), type)
    }
  }

  /// Whether the path leads to several values, as who asks for all or none of them must.
  private func isMany(_ path: PropertyPath) -> Bool {
    let many = ["links", "linkers"] + SampleWorld.manies.map(\.name)
    return path.steps.contains {
      switch $0 {
      case .property(let name): many.contains(name)
      case .allKeys, .allValues, .anyElement: true
      case .key, .index: false
      }
    }
  }

  private func constants(
    _ type: PropertyType, using random: inout Dice
  ) -> [StoredValue] {
    // Long lists go another way than short ones; only IN takes more than two.
    let count = Int.random(in: 0..<4, using: &random) == 0 ? 90 : 3
    return (0..<count).map { _ in
      if Int.random(in: 0..<max(8, count), using: &random) == 0 { return .null }
      if type == .string, Int.random(in: 0..<3, using: &random) == 0 {
        return .string(["eur", "a?", "*b*", "A*", "stra", "SS"].randomElement(using: &random)!)
      }
      if type == .int {
        let known = world.facts.randomElement(using: &random)!
        return [known.single["int"]!, known.single["code"]!, .int(0), .double(2.5), .double(3)]
          .randomElement(using: &random)!
      }
      return SampleWorld.value(of: type, using: &random)
    }
  }

  private func aggregate(using random: inout Dice) -> Comparison {
    let aggregates: [Aggregate] = [.count, .sum, .min, .max, .average]
    let aggregate = aggregates.randomElement(using: &random)!
    let overLinks = Bool.random(using: &random)
    let collection =
      overLinks
      ? ["links", "linkers"].randomElement(using: &random)!
      : ["ints", "intSet", "prices"].randomElement(using: &random)!
    let of =
      overLinks && aggregate != .count
      ? PropertyPath([.property(["code", "tiny", "intOptional"].randomElement(using: &random)!)])
      : PropertyPath()
    let operations: [Comparison.Operation] = [.equal, .less, .greaterOrEqual, .notEqual]
    return Comparison(
      left: .aggregate(pathTo(collection, using: &random), aggregate, of: of),
      operation: operations.randomElement(using: &random)!,
      right: .value(
        aggregate != .count && Int.random(in: 0..<6, using: &random) == 0
          ? .null : .int(Int64.random(in: -3...5, using: &random))))
  }

  /// An object's own collection, or that of the object it links to, where there is one.
  private func pathTo(
    _ collection: String, using random: inout Dice
  ) -> PropertyPath {
    let link: [PropertyPath.Step] = Bool.random(using: &random) ? [.property("link")] : []
    return PropertyPath(link + [.property(collection)])
  }

  private func subquery(using random: inout Dice) -> Comparison {
    let collection = ["links", "linkers"].randomElement(using: &random)!
    let operations: [Comparison.Operation] = [.equal, .greater, .lessOrEqual]
    return Comparison(
      left: .subqueryCount(
        pathTo(collection, using: &random), predicate(depth: 1, using: &random)),
      operation: operations.randomElement(using: &random)!,
      right: .value(.int(Int64.random(in: 0...2, using: &random))))
  }

  private func link(using random: inout Dice) -> Comparison {
    let row = Int64.random(in: 0..<Int64(world.facts.count), using: &random)
    let table = world.realm.session.bound(Sample.self).number!
    let target: StoredValue =
      Int.random(in: 0..<4, using: &random) == 0
      ? .null : .link(RowLink(table: table, key: row))
    let name = ["link", "links", "linkers"].randomElement(using: &random)!
    let operation: Comparison.Operation = Bool.random(using: &random) ? .equal : .notEqual
    return Comparison(
      left: .path(PropertyPath([.property(name)])), operation: operation, right: .value(target))
  }

  private func twoProperties(using random: inout Dice) -> Comparison {
    let (one, other) = [
      ("int", "code"), ("code", "tiny"), ("intOptional", "code"), ("double", "doubleOptional"),
      ("string", "text"), ("tag", "text"), ("date", "dateOptional"),
    ].randomElement(using: &random)!
    let operations: [Comparison.Operation] = [
      .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
    ]
    return Comparison(
      left: .path(PropertyPath([.property(one)])),
      operation: operations.randomElement(using: &random)!,
      right: .path(PropertyPath([.property(other)])))
  }
}

extension Comparison {
  fileprivate init(
    quantifier: Quantifier, left: Operand, comparedTo constants: [StoredValue],
    _ type: PropertyType, using random: inout Dice
  ) {
    var operations: [Operation] = [.equal, .notEqual, .in]
    switch type {
    case .int, .double, .float, .date, .decimal128:
      operations += [.less, .lessOrEqual, .greater, .greaterOrEqual, .between]
    case .string:
      operations += [
        .less, .greaterOrEqual, .beginsWith, .endsWith, .contains, .like, .between,
      ]
    case .data: operations += [.beginsWith, .endsWith, .contains]
    case .any: operations += [.less, .greater]
    default: break
    }
    var operation = operations.randomElement(using: &random)!
    let sole = constants[0]
    if sole == .null, operation.isStringOnly || operation == .contains { operation = .equal }
    // Said in QueryMeaningTests: it needs the type of the property.
    if sole == .null, type == .string, operation == .greaterOrEqual { operation = .equal }
    let right: Operand =
      switch operation {
      case .in: .values(constants)
      case .between: .values(Array(constants.prefix(2)))
      default: .value(sole)
      }
    // Options only where both sides fold alike: strings.
    let hasOptions =
      type == .string
      && [.equal, .notEqual, .beginsWith, .endsWith, .contains, .like, .in]
        .contains(operation)
    let options = hasOptions ? StringOptions(rawValue: Int.random(in: 0...3, using: &random)) : []
    self.init(
      quantifier: quantifier, left: left, operation: operation, right: right, options: options)
  }
}

extension Predicate {
  /// The comparisons of a predicate: where to look when the whole is wrong.
  fileprivate var leaves: [Predicate] {
    switch self {
    case .constant: []
    case .not(let inner): inner.leaves
    case .all(let parts), .any(let parts): parts.flatMap(\.leaves)
    case .comparison: [self]
    }
  }
}
