@testable import ReferenceEngine

/// What it holds on to, names for others, and listens to.
extension LossProgram {
  func hold(_ realm: Realm, _ desk: Int) {
    log.append("  hold at \(desk)")
    var new: [Held] = []
    func add<T: ObjectBase>(_ object: T, _ nameOf: @escaping (T) -> String) {
      new.append(
        Held(desk, nameOf(object), { object.isInvalidated }, { nameOf(object) }))
    }
    func listen(_ object: Object, _ name: String) {
      guard !realm.isInWriteTransaction, isLucky(5) else { return }
      let one = new.last!
      one.token = object.observe { change in
        switch change {
        case .change(let object, _):
          one.told.append(object.isInvalidated ? "changed, and gone" : "changed")
        case .deleted: one.told.append("deleted")
        case .error: one.told.append("error")
        }
      }
    }
    for one in realm.objects(Keyed.self) where isLucky(2) {
      add(one) { $0.name }
      listen(one, one.name)
    }
    for one in realm.objects(Dog.self) where isLucky(2) {
      add(one) { $0.name }
      listen(one, one.name)
    }
    for one in realm.objects(Street.self) where isLucky(2) {
      add(one) { $0.name }
      listen(one, one.name)
    }
    for one in realm.objects(Estate.self) {
      add(one) { $0.name }
      listen(one, one.name)
      if let main = one.main { add(main) { $0.name } }
      for corner in one.corners { add(corner) { $0.name } }
      let (name, corners, guests, places) = (one.name, one.corners, one.guests, one.places)
      new.append(Held(desk, name, { corners.isInvalidated }, { corners.count < 0 ? nil : name }))
      new.append(Held(desk, name, { guests.isInvalidated }, { guests.count < 0 ? nil : name }))
      new.append(Held(desk, name, { places.isInvalidated }, { places.count < 0 ? nil : name }))
    }
    for one in realm.objects(Todo.self) where isLucky(2) {
      add(one) { $0.name }
      listen(one, one.name)
    }
    for one in realm.objects(Ticket.self) {
      add(one) { $0.name }
      listen(one, one.name)
      for room in one.rooms { if let room = room.value { add(room) { $0.name } } }
      // By the way of a link.
      for linked in one.linked where isLucky(2) { add(linked) { LossProgram.name($0) } }
      let (name, anys, kinds, named) = (one.name, one.anys, one.kinds, one.named)
      new.append(Held(desk, name, { anys.isInvalidated }, { anys.count < 0 ? nil : name }))
      new.append(Held(desk, name, { kinds.isInvalidated }, { kinds.count < 0 ? nil : name }))
      new.append(Held(desk, name, { named.isInvalidated }, { named.count < 0 ? nil : name }))
    }
    held += new
  }

  func watch(_ realm: Realm, _ desk: Int) {
    if realm.isInWriteTransaction { return }
    func add<C: RealmCollection>(
      _ label: String, _ collection: C, _ nameOf: @escaping (C.Element) -> String
    ) {
      log.append("  watch \(label) at \(desk)")
      let one = CollectionWatch(desk, label) {
        collection.isInvalidated ? nil : collection.map { nameOf($0) }
      }
      one.token = collection.observe(keyPaths: nil, on: nil) { change in
        switch change {
        case .initial: one.begin()
        case .update(_, let deletions, let insertions, let modifications):
          one.update(deletions, insertions, modifications)
        case .error(let error): one.wrong = "\(error)"
        }
      }
      watches.append(one)
    }
    let estate = realm.objects(Estate.self).first
    let ticket = realm.objects(Ticket.self).first
    func text(_ value: AnyRealmValue) -> String {
      if case .object(let object) = value { LossProgram.name(object) } else { "\(value)" }
    }
    switch dice.below(16) {
    case 0: add("keyed", realm.objects(Keyed.self)) { $0.name }
    case 1:
      add("sorted", realm.objects(Keyed.self).sorted(byKeyPath: "name", ascending: false)) {
        $0.name
      }
    case 2: add("filtered", realm.objects(Keyed.self).filter("id > 7")) { $0.name }
    case 3: add("dogs", realm.objects(Dog.self)) { $0.name }
    case 4: if let estate { add("corners of \(estate.name)", estate.corners) { $0.name } }
    case 5: if let estate { add("guests of \(estate.name)", estate.guests) { $0.name } }
    case 6: if let estate { add("list of \(estate.name)", estate.dogs) { $0.name } }
    case 7: sections(realm, desk)
    case 8: if let estate { places(estate, desk) }
    case 9: add("streets", realm.objects(Street.self).sorted(byKeyPath: "id")) { $0.name }
    case 10: add("linked", realm.objects(Estate.self).filter("ANY guests.age >= 0")) { $0.name }
    case 12: if let ticket { add("anys of \(ticket.name)", ticket.anys, text) }
    case 13: if let ticket { add("kinds of \(ticket.name)", ticket.kinds, text) }
    case 14: add("todos", realm.objects(Todo.self).sorted(byKeyPath: "name")) { $0.name }
    case 11: add("distinct", realm.objects(Keyed.self).distinct(by: ["name"])) { $0.name }
    default: if let estate { add("keys of \(estate.name)", estate.keys) { $0.name } }
    }
  }

  private func sections(_ realm: Realm, _ desk: Int) {
    log.append("  watch sections at \(desk)")
    let all = realm.objects(Keyed.self).sectioned(
      by: { $0.id % 2 }, sortDescriptors: [SortDescriptor(keyPath: "id")])
    var mirror: [[String]] = []
    func now() -> [[String]] { all.map { $0.map(\.name) } }
    let one = CollectionWatch(desk, "sections") { now().map { $0.joined(separator: " ") } }
    one.token = all.observe { change in
      one.told += 1
      switch change {
      case .initial: mirror = now()
      case .update(
        _, let deletions, let insertions, let modifications, let sectionsIn, let sectionsOut):
        var old: [[String?]] = mirror
        let new = now()
        for path in modifications { old[path[0]][path[1]] = nil }
        for path in deletions.sorted(by: >) { old[path[0]].remove(at: path[1]) }
        for section in sectionsOut.sorted(by: >) { old.remove(at: section) }
        for section in sectionsIn.sorted() { old.insert([], at: section) }
        for path in insertions.sorted() {
          if path[0] < old.count, path[1] <= old[path[0]].count {
            old[path[0]].insert(new[path[0]][path[1]], at: path[1])
          } else {
            one.wrong = "insertion \(path)"
          }
        }
        let isSame =
          old.count == new.count
          && zip(old, new).allSatisfy { a, b in
            a.count == b.count && zip(a, b).allSatisfy { $0 == nil || $0 == $1 }
          }
        if !isSame {
          one.wrong =
            "-\(deletions) +\(insertions) ~\(modifications) S+\(Array(sectionsIn)) "
            + "S-\(Array(sectionsOut)) of \(mirror) gives \(old) and not \(new)"
        }
        mirror = new
      }
      one.mirror = one.now()
    }
    watches.append(one)
  }

  private func places(_ estate: Estate, _ desk: Int) {
    log.append("  watch places of \(estate.name) at \(desk)")
    let map = estate.places
    func now() -> [String: String] {
      Dictionary(map.map { ($0.key, $0.value?.name ?? "nil") }, uniquingKeysWith: { $1 })
    }
    func text(_ all: [String: String]) -> [String] { all.map { "\($0):\($1)" }.sorted() }
    var mirror: [String: String] = [:]
    let one = CollectionWatch(desk, "places") { map.isInvalidated ? nil : text(now()) }
    one.token = map.observe { change in
      one.told += 1
      if map.isInvalidated {
        one.hasEnded = true
        return
      }
      let new = now()
      if case .update(_, let deletions, let insertions, let modifications) = change {
        let was = mirror
        for key in deletions { mirror[key] = nil }
        for key in insertions + modifications { mirror[key] = new[key] }
        if mirror != new {
          one.wrong = "-\(deletions) +\(insertions) ~\(modifications) of \(was) is not \(new)"
        }
      }
      mirror = new
      one.mirror = one.now()
    }
    watches.append(one)
  }

  func refer(_ realm: Realm) {
    log.append("  refer")
    func add<T: ThreadConfined>(_ thing: T, _ name: String, _ nameOf: @escaping (T) -> String) {
      for _ in 0..<2 {
        let reference = ThreadSafeReference(to: thing)
        references.append((name, { $0.resolve(reference).map(nameOf) }))
      }
      if isLucky(3) {
        let variable = ThreadSafe(wrappedValue: thing)
        variables.append((name, { variable.wrappedValue.map(nameOf) }))
      }
    }
    for one in realm.objects(Keyed.self) where isLucky(2) { add(one, one.name) { $0.name } }
    for one in realm.objects(Dog.self) where isLucky(3) { add(one, one.name) { $0.name } }
    for one in realm.objects(Street.self) where isLucky(2) { add(one, one.name) { $0.name } }
    for one in realm.objects(Todo.self) where isLucky(2) { add(one, one.name) { $0.name } }
    for one in realm.objects(Ticket.self) where isLucky(2) {
      add(one, one.name) { $0.name }
      let name = one.name
      add(one.anys, name) { _ in name }
      add(one.named, name) { _ in name }
      for room in one.rooms { if let room = room.value { add(room, room.name) { $0.name } } }
    }
    for one in realm.objects(Estate.self) where isLucky(2) {
      add(one, one.name) { $0.name }
      let name = one.name
      if let main = one.main { add(main, main.name) { $0.name } }
      add(one.corners, name) { _ in name }
      add(one.places, name) { _ in name }
    }
  }

  func freeze(_ realm: Realm) {
    if realm.isInWriteTransaction { return }
    log.append("  freeze")
    let all = realm.freeze()
    let names: () -> [String] = { [unowned self] in shown(all).sorted() }
    let was = names()
    func add<T: ObjectBase>(_ object: T, _ nameOf: @escaping (T) -> String) {
      let cold = object.freeze()
      frozen.append((nameOf(object), names, was, { cold.thaw().map(nameOf) }))
    }
    for one in realm.objects(Keyed.self) { add(one) { $0.name } }
    for one in realm.objects(Dog.self) { add(one) { $0.name } }
    for one in realm.objects(Street.self) { add(one) { $0.name } }
    for one in realm.objects(Todo.self) { add(one) { $0.name } }
    for one in realm.objects(Ticket.self) { add(one) { $0.name } }
    for one in realm.objects(Estate.self) {
      add(one) { $0.name }
      if let main = one.main { add(main) { $0.name } }
    }
  }
}
