import EngineUnderTest
import Foundation
import Harness

extension Member {
  // MARK: - Single values

  /// What is set once.
  static func fixed<T: Wide, V: Worthy & _Persistable>(
    _ name: String, _ path: ReferenceWritableKeyPath<T, V>
  ) -> Member {
    Member(
      name: name, pool: .fixed, blank: .single(.null),
      read: { .single(($0 as! T)[keyPath: path].worth) })
  }

  static func value<T: Wide, V: Worthy & _Persistable>(
    _ name: String, _ path: ReferenceWritableKeyPath<T, V>, _ values: [Worth],
    isSortable: Bool = false
  ) -> Member {
    single(name, path, .values(values), isSortable: isSortable)
  }

  private static func single<T: Wide, V: Worthy & _Persistable>(
    _ name: String, _ path: ReferenceWritableKeyPath<T, V>, _ pool: Pool, isSortable: Bool = false
  ) -> Member {
    var member = Member(
      name: name, pool: pool, blank: .single(T()[keyPath: path].worth), isSortable: isSortable,
      read: { .single(($0 as! T)[keyPath: path].worth) })
    member.write = { ($0 as! T)[keyPath: path] = V.made(of: $1, $2) }
    member.condition = { query, comparing, worth, finder in
      let query = (query as! Query<T>)[dynamicMember: path]
      let value = V.made(of: worth, finder)
      return comparing == .unequal ? query != value : query == value
    }
    return member
  }

  static func number<T: Wide, V: Worthy & _Persistable & _QueryNumeric>(
    _ name: String, _ path: ReferenceWritableKeyPath<T, V>, _ values: [Worth]
  ) -> Member {
    var member = single(name, path, .values(values), isSortable: true)
    // What would not fit in a sum, and dates, of which there is none.
    member.isNumeric = name.hasSuffix("umber") || name == "ratio" || name == "fraction"
    member.condition = { query, comparing, worth, finder in
      let query = (query as! Query<T>)[dynamicMember: path]
      let value = V.made(of: worth, finder)
      return switch comparing {
      case .equal: query == value
      case .unequal: query != value
      case .less: query < value
      case .atMost: query <= value
      case .greater: query > value
      case .atLeast: query >= value
      }
    }
    return member
  }

  static func text<T: Wide, V: Worthy & _Persistable>(
    _ name: String, _ path: ReferenceWritableKeyPath<T, V>, _ values: [Worth]
  ) -> Member {
    var member = single(name, path, .values(values), isSortable: true)
    member.isText = true
    return member
  }

  static func mixed<T: Wide>(
    _ name: String, _ path: ReferenceWritableKeyPath<T, AnyRealmValue>, _ values: [Worth]
  ) -> Member {
    var member = single(name, path, .mixed(values))
    member.condition = nil
    return member
  }

  static func link<T: Wide, V: Wide>(_ name: String, _ path: ReferenceWritableKeyPath<T, V?>)
    -> Member
  {
    var member = Member(
      name: name, pool: .rows(V.kind), blank: .single(.null),
      read: { .single(($0 as! T)[keyPath: path].worth) })
    member.write = { ($0 as! T)[keyPath: path] = V?.made(of: $1, $2) }
    return member
  }

  static func box<T: Wide>(_ name: String, _ path: ReferenceWritableKeyPath<T, Box?>) -> Member {
    var member = Member(
      name: name, pool: .boxes, blank: .single(.null),
      read: { .single(($0 as! T)[keyPath: path].worth) })
    member.write = { ($0 as! T)[keyPath: path] = Box?.made(of: $1, $2) }
    return member
  }

  // MARK: - Collections

  private static func collection<T: Wide, V: Worthy & RealmCollectionValue>(
    _ name: String, _ path: KeyPath<T, List<V>>, _ pool: Pool, hasIdentity: Bool = false,
    further: ((List<V>, Finder, inout SplitMix) -> String?)? = nil
  ) -> Member {
    var member = Member(
      name: name, pool: pool, blank: .list([]),
      read: { .list(Array(($0 as! T)[keyPath: path]).map(\.worth)) })
    member.edit = { $1.apply(to: ($0 as! T)[keyPath: path], $2) }
    member.hold = { object, owner, place in
      HeldCollection(
        "the list \(name)", (object as! T)[keyPath: path], hasIdentity: hasIdentity,
        further: further
      ) { $0.content(owner, place).map { Expected($0.values, isOrdered: true) } }
    }
    if !hasIdentity {
      member.mirror = { object, owner, _, state in
        MembersMirror(
          "a listener of \(name) of \(owner)", (object as! T)[keyPath: path], nil, state)
      }
    }
    return member
  }

  static func list<T: Wide, V: Worthy & RealmCollectionValue>(
    _ name: String, _ path: KeyPath<T, List<V>>, _ values: [Worth]
  ) -> Member {
    collection(name, path, V.self == AnyRealmValue.self ? .mixed(values) : .values(values))
  }

  static func wholes<T: Wide>(
    _ name: String, _ path: KeyPath<T, List<Int>>, _ values: [Worth]
  ) -> Member { collection(name, path, .values(values), further: Asking.wholes) }

  static func maybeWholes<T: Wide>(
    _ name: String, _ path: KeyPath<T, List<Int?>>, _ values: [Worth]
  ) -> Member { collection(name, path, .values(values), further: Asking.maybeWholes) }

  static func links<T: Wide, V: Wide>(_ name: String, _ path: KeyPath<T, List<V>>) -> Member {
    var member = collection(name, path, .rows(V.kind))
    member.objects = { AnyRealmCollection(($0 as! T)[keyPath: path]) }
    return member
  }

  static func boxes<T: Wide>(_ name: String, _ path: KeyPath<T, List<Box>>) -> Member {
    collection(name, path, .boxes, hasIdentity: true)
  }

  private static func collection<T: Wide, V: Worthy & RealmCollectionValue>(
    _ name: String, _ path: KeyPath<T, MutableSet<V>>, _ pool: Pool,
    further: ((MutableSet<V>, Finder, inout SplitMix) -> String?)? = nil
  ) -> Member {
    var member = Member(
      name: name, pool: pool, blank: .set([]),
      read: { .set(Set(($0 as! T)[keyPath: path].map(\.worth))) })
    member.edit = { $1.apply(to: ($0 as! T)[keyPath: path], $2) }
    member.hold = { object, owner, place in
      HeldCollection("the set \(name)", (object as! T)[keyPath: path], further: further) {
        $0.content(owner, place).map { Expected($0.values, isOrdered: false) }
      }
    }
    member.mirror = { object, owner, _, state in
      MembersMirror("a listener of \(name) of \(owner)", (object as! T)[keyPath: path], nil, state)
    }
    return member
  }

  static func set<T: Wide, V: Worthy & RealmCollectionValue>(
    _ name: String, _ path: KeyPath<T, MutableSet<V>>, _ values: [Worth]
  ) -> Member { collection(name, path, .values(values)) }

  static func maybeWholes<T: Wide>(
    _ name: String, _ path: KeyPath<T, MutableSet<Int?>>, _ values: [Worth]
  ) -> Member { collection(name, path, .values(values), further: Asking.maybeWholes) }

  static func links<T: Wide, V: Wide>(_ name: String, _ path: KeyPath<T, MutableSet<V>>) -> Member {
    var member = collection(name, path, .rows(V.kind))
    member.objects = { AnyRealmCollection(($0 as! T)[keyPath: path]) }
    return member
  }

  private static func collection<T: Wide, V: Worthy & RealmCollectionValue>(
    _ name: String, _ path: KeyPath<T, Map<String, V>>, _ pool: Pool
  ) -> Member {
    var member = Member(
      name: name, pool: pool, blank: .map([:]),
      read: { object in
        let map = (object as! T)[keyPath: path]
        return .map(Dictionary(map.map { ($0.key, $0.value.worth) }) { $1 })
      })
    member.edit = { $1.apply(to: ($0 as! T)[keyPath: path], $2) }
    member.hold = { object, owner, place in
      HeldMap("the map \(name)", (object as! T)[keyPath: path]) { state in
        if case .map(let all)? = state.content(owner, place) { all } else { nil }
      }
    }
    member.mirror = { object, owner, _, _ in
      MapMirror("\(name) of \(owner)", (object as! T)[keyPath: path])
    }
    return member
  }

  static func map<T: Wide, V: Worthy & RealmCollectionValue>(
    _ name: String, _ path: KeyPath<T, Map<String, V>>, _ values: [Worth]
  ) -> Member { collection(name, path, .values(values)) }

  static func links<T: Wide, V: Wide>(_ name: String, _ path: KeyPath<T, Map<String, V?>>)
    -> Member
  { collection(name, path, .rows(V.kind)) }
}

/// Links backwards through one property.
struct Backward {
  let name: String
  let origin: Kind
  private let through: String
  /// The linking objects' births, and the collection, to be asked or kept.
  let read: (ObjectBase) -> [Int]
  let objects: (ObjectBase) -> Any
  let hold: (ObjectBase, _ owner: Int) -> any Held

  init<T: Wide, V: Wide>(
    _ name: String, _ path: KeyPath<T, LinkingObjects<V>>, _ through: String
  ) {
    (self.name, origin, self.through) = (name, V.kind, through)
    read = { ($0 as! T)[keyPath: path].map(\.birth) }
    objects = { AnyRealmCollection(($0 as! T)[keyPath: path]) }
    hold = { object, owner in
      HeldCollection(name, (object as! T)[keyPath: path]) { state in
        guard state.rows[owner] != nil,
          let member = V.members.firstIndex(where: { $0.name == through })
        else { return nil }
        return Expected(state.linkers(owner, V.kind, member).map(Worth.row), isOrdered: false)
      }
    }
  }

  var member: Int { origin.members.firstIndex { $0.name == through }! }
}
