import Testing

@testable import ReferenceEngine

final class Grain: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var weight: Int
  @Persisted var name: String
  @Persisted var next: Grain?
  @Persisted var list: List<Grain>
  @Persisted var set: MutableSet<Int>
  @Persisted var tags: Map<String, Int>
  @Persisted var any: AnyRealmValue
  @Persisted(originProperty: "next") var before: LinkingObjects<Grain>
}

final class Dune: Object {
  @Persisted var grains: List<Grain>
  @Persisted var numbers: List<Int>
}

/// A copy of something that is listened to, which only what is told has changed.
class StormMirror: @unchecked Sendable {
  let name: String
  var token: NotificationToken?
  var faults: [String] = []
  var isGone = false
  /// What the listener does at the end of a call.
  var afterwards: () -> Void = {}

  init(_ name: String) { self.name = name }

  func begin(_ realm: Realm) {}
  /// Takes what is there as told.
  func skip(_ realm: Realm) {}
  func check(_ realm: Realm) -> String? { nil }

  final func end() {
    token?.invalidate()
    token = nil
  }
}

final class CollectionMirror: StormMirror, @unchecked Sendable {
  private struct Row: Equatable {
    let id: Int
    let weight: Int
    init(_ grain: Grain) { (id, weight) = (grain.id, grain.weight) }
  }
  private let keyPaths: [String]?
  private let content: (Realm) -> [Grain]?
  private let listen: (Realm, CollectionMirror) -> NotificationToken?
  private var rows: [Row]?

  init<C: RealmCollection>(
    _ name: String, _ keyPaths: [String]? = nil, _ collection: @escaping (Realm) -> C?
  ) where C.Element == Grain {
    self.keyPaths = keyPaths
    content = { realm in collection(realm).map { Array($0) } }
    listen = { realm, mirror in
      collection(realm)?.observe(keyPaths: keyPaths) { [weak mirror] in mirror?.take($0) }
    }
    super.init(name)
  }

  override func begin(_ realm: Realm) {
    (rows, isGone) = (nil, false)
    token = listen(realm, self)
    isGone = token == nil
  }

  override func skip(_ realm: Realm) {
    if rows != nil, let now = content(realm) { rows = now.map { Row($0) } }
  }

  private func take<C: RealmCollection>(_ change: RealmCollectionChange<C>)
  where C.Element == Grain {
    switch change {
    case .initial(let grains):
      if rows != nil { faults.append("a second first call") }
      rows = grains.map { Row($0) }
    case .update(let grains, let deletions, let insertions, let modifications):
      guard !grains.isInvalidated else {
        (rows, isGone) = ([], true)
        return
      }
      guard let old = rows else { return faults.append("told before the first call") }
      if deletions.isEmpty, insertions.isEmpty, modifications.isEmpty { faults.append("nothing") }
      let now = grains.map { Row($0) }
      let told = ToldPlaces(
        deletions: deletions, insertions: insertions, modifications: modifications)
      faults += told.faults(from: old, to: now) { keyPaths == nil ? $0 == $1 : $0.id == $1.id }
      rows = now
    case .error: faults.append("error")
    }
    afterwards()
  }

  override func check(_ realm: Realm) -> String? {
    guard let rows, !isGone, token != nil, let found = content(realm) else { return nil }
    let now = found.map { Row($0) }
    let isRight = keyPaths == nil ? rows == now : rows.map(\.id) == now.map(\.id)
    if isRight { return nil }
    let wrong = zip(rows, now).filter { $0 != $1 }.prefix(3).map { "\($0) is \($1)" }
    return "\(rows.count) rows are not the \(now.count): \(wrong)"
  }
}

final class NumbersMirror: StormMirror, @unchecked Sendable {
  private var numbers: [Int]?

  override func begin(_ realm: Realm) {
    (numbers, isGone) = (nil, false)
    token = realm.objects(Dune.self).first?.numbers.observe { [weak self] change in
      guard let self else { return }
      switch change {
      case .initial(let all): numbers = Array(all)
      case .update(let all, let deletions, let insertions, let modifications):
        guard !all.isInvalidated else {
          isGone = true
          return
        }
        guard let old = numbers else { return faults.append("told before the first call") }
        let now = Array(all)
        let told = ToldPlaces(
          deletions: deletions, insertions: insertions, modifications: modifications)
        faults += told.faults(from: old, to: now, isSame: ==)
        numbers = now
      case .error: faults.append("error")
      }
    }
    isGone = token == nil
  }
  override func skip(_ realm: Realm) {
    if numbers != nil, let now = realm.objects(Dune.self).first?.numbers { numbers = Array(now) }
  }
  override func check(_ realm: Realm) -> String? {
    guard let numbers, !isGone, token != nil, let now = realm.objects(Dune.self).first?.numbers
    else { return nil }
    return numbers == Array(now) ? nil : "\(numbers.count) numbers are not \(now.count)"
  }
}

final class MapMirror: StormMirror, @unchecked Sendable {
  private var tags: [String: Int]?
  private func found(_ realm: Realm) -> Map<String, Int>? {
    realm.object(ofType: Grain.self, forPrimaryKey: 7)?.tags
  }
  private func plain(_ map: Map<String, Int>) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: map.asKeyValueSequence().map { ($0.key, $0.value) })
  }
  override func begin(_ realm: Realm) {
    (tags, isGone) = (nil, false)
    token = found(realm)?.observe { [weak self] change in
      guard let self else { return }
      switch change {
      case .initial(let all): tags = plain(all)
      case .update(let all, let deletions, let insertions, let modifications):
        guard !all.isInvalidated else {
          isGone = true
          return
        }
        guard var mirror = tags else { return faults.append("told before the first call") }
        let now = plain(all)
        for key in deletions where mirror.removeValue(forKey: key) == nil {
          faults.append("deleted \(key) was not there")
        }
        for key in insertions where mirror.updateValue(now[key] ?? -1, forKey: key) != nil {
          faults.append("inserted \(key) was there")
        }
        for key in modifications where mirror.updateValue(now[key] ?? -1, forKey: key) == nil {
          faults.append("modified \(key) was not there")
        }
        if mirror != now { faults.append("\(mirror) instead of \(now)") }
        tags = now
      case .error: faults.append("error")
      }
    }
    isGone = token == nil
  }
  override func skip(_ realm: Realm) {
    if tags != nil, let now = found(realm) { tags = plain(now) }
  }
  override func check(_ realm: Realm) -> String? {
    guard let tags, !isGone, token != nil, let now = found(realm) else { return nil }
    return tags == plain(now) ? nil : "\(tags) are not \(plain(now))"
  }
}

final class ObjectMirror: StormMirror, @unchecked Sendable {
  private let id: Int
  private let keyPaths: [String]?
  private var values: (weight: Int, name: String)?
  private var object: Grain?

  init(_ id: Int, _ keyPaths: [String]? = nil) {
    (self.id, self.keyPaths) = (id, keyPaths)
    super.init("object \(id) \(keyPaths ?? [])")
  }
  override func begin(_ realm: Realm) {
    isGone = false
    object = realm.object(ofType: Grain.self, forPrimaryKey: id)
    values = object.map { ($0.weight, $0.name) }
    token = object?.observe(keyPaths: keyPaths) { [weak self] (change: ObjectChange<Grain>) in
      guard let self else { return }
      switch change {
      case .deleted: isGone = true
      case .error: faults.append("error")
      case .change(let grain, let changes):
        if isGone { faults.append("told after the end") }
        for change in changes where change.name == "weight" {
          if let old = change.oldValue as? Int, old != values?.weight {
            faults.append("old \(old), known \(values?.weight ?? -1)")
          }
          if change.newValue as? Int != grain.weight { faults.append("new weight") }
          values?.weight = grain.weight
        }
        for change in changes where change.name == "name" {
          if let old = change.oldValue as? String, old != values?.name {
            faults.append("old \(old), known \(values?.name ?? "")")
          }
          if change.newValue as? String != grain.name { faults.append("new name") }
          values?.name = grain.name
        }
      }
    }
    isGone = token == nil
  }
  override func skip(_ realm: Realm) {
    if let object, !object.isInvalidated { values = (object.weight, object.name) }
  }
  override func check(_ realm: Realm) -> String? {
    guard let values, !isGone, token != nil, let object else { return nil }
    if object.isInvalidated { return "its end was not told" }
    let isRight =
      object.weight == values.weight && (keyPaths != nil || object.name == values.name)
    return isRight ? nil : "\(values) is not \(object.weight) \(object.name)"
  }
}

final class SectionsMirror: StormMirror, @unchecked Sendable {
  private var sections: [(key: Int, ids: [Int])]?
  private var results: SectionedResults<Int, Grain>?

  private func plain(_ all: SectionedResults<Int, Grain>) -> [(key: Int, ids: [Int])] {
    all.map { ($0.key, $0.map(\.id)) }
  }
  override func begin(_ realm: Realm) {
    sections = nil
    let made = realm.objects(Grain.self).where { $0.weight < 6 }.sectioned(
      by: { $0.weight % 4 }, sortDescriptors: ["id"])
    results = made
    token = made.observe { [weak self] change in
      guard let self else { return }
      switch change {
      case .initial(let all): sections = plain(all)
      case .update(
        let all, let deletions, let insertions, let modifications, let inserted, let deleted):
        guard let old = sections else { return faults.append("told before the first call") }
        var mirror = old.map { (key: Optional($0.key), ids: $0.ids.map(Optional.some)) }
        for path in modifications {
          guard mirror.indices.contains(path[0]), mirror[path[0]].ids.indices.contains(path[1])
          else { return faults.append("modified \(path)") }
        }
        for path in deletions.sorted().reversed() {
          guard mirror.indices.contains(path[0]), mirror[path[0]].ids.indices.contains(path[1])
          else { return faults.append("deleted \(path)") }
          mirror[path[0]].ids.remove(at: path[1])
        }
        for section in deleted.reversed() {
          guard mirror.indices.contains(section) else { return faults.append("section \(section)") }
          mirror.remove(at: section)
        }
        for section in inserted {
          guard section <= mirror.count else { return faults.append("new section \(section)") }
          mirror.insert((nil, []), at: section)
        }
        for path in insertions.sorted() {
          guard mirror.indices.contains(path[0]), path[1] <= mirror[path[0]].ids.count else {
            return faults.append("inserted \(path)")
          }
          mirror[path[0]].ids.insert(nil, at: path[1])
        }
        let now = plain(all)
        let fits =
          mirror.count == now.count
          && zip(mirror, now).allSatisfy { mine, theirs in
            (mine.key ?? theirs.key) == theirs.key && mine.ids.count == theirs.ids.count
              && zip(mine.ids, theirs.ids).allSatisfy { $0 == nil || $0 == $1 }
          }
        if !fits {
          faults.append(
            "\(old.map { "\($0.key):\($0.ids.count)" }) -> "
              + "\(mirror.map { "\($0.key ?? -1):\($0.ids.count)" }), "
              + "but \(now.map { "\($0.key):\($0.ids.count)" })")
        }
        sections = now
      }
    }
  }
  override func skip(_ realm: Realm) {
    if sections != nil, let results { sections = plain(results) }
  }
  override func check(_ realm: Realm) -> String? {
    guard let sections, token != nil, let results else { return nil }
    let now = plain(results)
    let isRight = sections.count == now.count && zip(sections, now).allSatisfy { $0 == $1 }
    return isRight ? nil : "sections"
  }
}
