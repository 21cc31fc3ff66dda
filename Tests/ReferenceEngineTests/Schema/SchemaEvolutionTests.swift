import Foundation
import Testing

@testable import ReferenceEngine

/// One class in a hundred random forms, one after the other, each in the same file opened again:
/// what stays keeps its values, what is new has its default, what changed its type starts anew, and
/// only that asks for a migration.
struct SchemaEvolutionTests {
  private static let steps = Wish.number("REALM_STEPS", orElse: 40)

  /// A form of the class: its properties by name.
  private typealias Form = [String: Property]

  @Test func `schemas change at random over reopened files`() throws {
    var random = Dice(seed: Wish.seed(orElse: Dice.usual))
    let scratch = Scratch()
    var form: Form = [:]
    var rows: [[String: AnyHashable]] = []
    var version: UInt64 = 0
    for step in 0..<SchemaEvolutionTests.steps {
      let next = changed(form, using: &random)
      let needsMigration = isMigration(from: form, to: next)
      if needsMigration, !rows.isEmpty {
        #expect(throws: Realm.Error.self, "step \(step)") {
          try open(scratch, next, version: version)
        }
      }
      if needsMigration { version += 1 }
      let realm = try open(scratch, next, version: version)
      rows = rows.map { carried($0, from: form, to: next) }
      form = next
      #expect(read(realm, form) == rows, "step \(step)")
      try realm.write {
        if rows.count < 300 {
          let values = form.mapValues { value(of: $0, using: &random) }
          realm.dynamicCreate("Thing", value: values.mapValues(\.base))
          rows.append(values)
        }
        for row in rows.indices where Int.random(in: 0..<3, using: &random) == 0 {
          guard let (name, property) = form.randomElement(using: &random) else { continue }
          let given = value(of: property, using: &random)
          realm.dynamicObjects("Thing")[row][name] = given.base
          rows[row][name] = given
        }
      }
      #expect(read(realm, form) == rows, "step \(step), after writing")
    }
  }

  private func open(_ scratch: Scratch, _ form: Form, version: UInt64) throws -> Realm {
    var configuration = scratch.configuration(version: version)
    let schema = ObjectSchema(
      className: "Thing", properties: form.keys.sorted().compactMap { form[$0] })
    configuration.classes = [ClassLayout(dynamic: schema)]
    // Another instance each time, as after a new start.
    configuration.cache = false
    return try Realm(configuration: configuration)
  }

  private static let types: [PropertyType] = [
    .int, .bool, .string, .double, .float, .date, .data, .objectId, .UUID,
  ]

  /// Adds, drops, retypes, indexes or makes optional a few properties.
  private func changed(_ form: Form, using random: inout Dice) -> Form {
    var next = form
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let name = ["a", "b", "c", "d", "e", "f"].randomElement(using: &random) ?? "a"
      if let old = next[name], next.count > 1, Int.random(in: 0..<4, using: &random) == 0 {
        next[name] = nil
        _ = old
        continue
      }
      let type =
        next[name].map(\.type) ?? SchemaEvolutionTests.types.randomElement(using: &random) ?? .int
      let isRetyped = Int.random(in: 0..<3, using: &random) == 0
      next[name] = Property(
        name: name,
        type: isRetyped
          ? SchemaEvolutionTests.types.randomElement(using: &random) ?? type : type,
        isOptional: Bool.random(using: &random),
        isIndexed: [.int, .string, .bool, .date].contains(type) && !isRetyped
          && Bool.random(using: &random))
    }
    return next
  }

  /// Whether opening with the new form asks for a higher schema version: something is gone, or was
  /// changed.
  private func isMigration(from old: Form, to new: Form) -> Bool {
    old.contains { name, was in
      guard let now = new[name] else { return true }
      return now.type != was.type || now.isOptional != was.isOptional
    }
  }

  private func carried(
    _ row: [String: AnyHashable], from old: Form, to new: Form
  ) -> [String: AnyHashable] {
    var result: [String: AnyHashable] = [:]
    for (name, now) in new {
      let missing = standard(now)
      guard let was = old[name], was.type == now.type, let value = row[name] else {
        result[name] = missing
        continue
      }
      // A null that may no longer be one becomes the type's own zero.
      result[name] = value == AnyHashable(NSNull()) && !now.isOptional ? missing : value
    }
    return result
  }

  private func read(_ realm: Realm, _ form: Form) -> [[String: AnyHashable]] {
    realm.dynamicObjects("Thing").map { thing in
      Dictionary(
        uniqueKeysWithValues: form.keys.map { name in
          (name, (thing[name] as? AnyHashable) ?? AnyHashable(NSNull()))
        })
    }
  }

  private func standard(_ property: Property) -> AnyHashable {
    if property.isOptional { return AnyHashable(NSNull()) }
    switch property.type {
    case .int: return 0
    case .bool: return false
    case .string: return ""
    case .double: return 0.0
    case .float: return Float(0)
    case .date: return Date(timeIntervalSince1970: 0)
    case .data: return Data()
    case .objectId: return ObjectId()
    default: return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
  }

  private func value(of property: Property, using random: inout Dice) -> AnyHashable {
    if property.isOptional, Int.random(in: 0..<4, using: &random) == 0 {
      return AnyHashable(NSNull())
    }
    switch SampleWorld.value(of: property.type, using: &random) {
    case .int(let value): return Int(value)
    case .bool(let value): return value
    case .string(let value): return value
    case .double(let value): return value.isNaN ? 1.5 : value
    case .float(let value): return value.isNaN ? Float(1.5) : value
    case .date(let value): return value
    case .data(let value): return value
    case .objectId(let value): return value
    case .uuid(let value): return value
    default: return standard(property)
    }
  }
}
