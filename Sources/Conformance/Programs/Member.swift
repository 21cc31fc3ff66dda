import EngineUnderTest
import Foundation

/// A property of a class of the wide model: how programs set it, change it, read it, hold it and
/// ask for it.
struct Member {
  enum Pool {
    /// Set when the object is made, and never again.
    case fixed
    case values([Worth])
    /// Objects of a class; the small numbers of rows in it stand for pieces.
    case rows(Kind)
    case mixed([Worth])
    case boxes
  }

  enum Comparing: String, CaseIterable {
    case equal = "=="
    case unequal = "!="
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="
  }

  let name: String
  let pool: Pool
  /// What a new object has.
  let blank: Content
  /// Whether queries know an order of it, and whether it can be summed; and whether it is a text.
  var isSortable = false
  var isNumeric = false
  var isText = false
  /// A collection of values in no order, or in one.
  let read: (ObjectBase) -> Content
  var write: (ObjectBase, Worth, Finder) -> Void = { _, _, _ in }
  var edit: (ObjectBase, Edit, Finder) -> Void = { _, _, _ in }
  /// The collection, to be kept.
  var hold: ((ObjectBase, _ owner: Int, _ member: Int) -> any Held)?
  /// A listener of the collection.
  var mirror: ((ObjectBase, _ owner: Int, _ member: Int, WideState) -> any Mirror)?
  /// The objects in it as a collection of theirs, which whoever knows the class may have.
  var objects: ((ObjectBase) -> Any)?
  /// A condition as it is written in Swift: from a `Query` of the class to one of Bool.
  var condition: ((Any, Comparing, Worth, Finder) -> Query<Bool>)?
  /// What `create(value:)` takes for it.
  var given: (Content, Finder) -> Any = { content, finder in content.given(finder) }

  var isMixed: Bool { if case .mixed = pool { true } else { false } }
  var isCollection: Bool { if case .single = blank { false } else { true } }
  var isFixed: Bool { if case .fixed = pool { true } else { false } }
  var isLink: Bool {
    if case .rows = pool, !isCollection { true } else { false }
  }
  /// The class whose objects it leads to.
  var target: Kind? { if case .rows(let kind) = pool { kind } else { nil } }

  /// A value for it, by a number.
  func pick(_ number: Int, in state: WideState) -> Worth {
    switch pool {
    case .fixed: return .null
    case .values(let all): return all[number % all.count]
    case .rows(let kind): return row(number, kind, state)
    case .mixed(let all): return placed(all[number % all.count], state)
    case .boxes:
      return .box([
        .text(["", "a", "b"][number % 3]), .int(number % 5), row(number, .piece, state),
      ])
    }
  }

  /// With objects that there are.
  private func placed(_ worth: Worth, _ state: WideState) -> Worth {
    switch worth {
    case .row(let place): row(place, place == 3 ? .byText : .piece, state)
    case .many(let all): .many(all.map { placed($0, state) })
    case .named(let all): .named(all.mapValues { placed($0, state) })
    default: worth
    }
  }

  private func row(_ number: Int, _ kind: Kind, _ state: WideState) -> Worth {
    let births = state.births(of: kind).prefix(20)
    return births.isEmpty ? .null : .row(births[births.startIndex + number % births.count])
  }

  /// Some values that a collection of it can have.
  func pickAll(_ number: Int, in state: WideState) -> [Worth] {
    let all = (0..<3).map { pick(number + $0 * 5, in: state) }
    if case .rows = pool, case .map = blank { return all }
    // Lists and sets have no room for nobody.
    if case .rows = pool { return all.filter { $0 != .null } }
    return all
  }
}

extension Content {
  /// The same in what `create(value:)` understands.
  func given(_ finder: Finder) -> Any {
    func one(_ worth: Worth) -> Any {
      switch worth {
      case .row(let birth): finder.object(birth) as Any? ?? NSNull()
      case .box(let parts):
        ["text": one(parts[0]), "number": one(parts[1]), "piece": one(parts[2])]
      case .many, .named: AnyRealmValue.made(of: worth, finder)
      default: worth.scalar ?? NSNull()
      }
    }
    return switch self {
    case .single(let worth): one(worth)
    case .list(let all): all.map(one)
    case .set(let all): all.map(one)
    case .map(let all): all.mapValues(one)
    }
  }
}
