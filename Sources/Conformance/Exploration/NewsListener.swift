import EngineUnderTest

/// A listener with a copy of its collection that follows what it is told, and nothing else.
final class NewsListener {
  /// A member as the copy has it.
  private struct Member: Equatable {
    let id: Int
    let number: Int
  }

  private let name: String
  private let listen: (Realm, NewsListener) -> NotificationToken?
  private let members: (Realm) -> [Member]
  private var token: NotificationToken?
  private var copy: [Member]?
  private(set) var wrong: String?

  private init<C: RealmCollection>(
    _ name: String, _ collection: @escaping (Realm) -> C?, _ member: @escaping (C.Element) -> Member
  ) {
    self.name = name
    members = { realm in collection(realm).map { $0.map(member) } ?? [] }
    listen = { realm, listener in
      guard let found = collection(realm) else { return nil }
      return found.observe { [unowned listener] in listener.take($0, member) }
    }
  }

  private convenience init(_ name: String, _ leaves: @escaping (Results<Leaf>) -> Results<Leaf>) {
    self.init(name, { leaves($0.objects(Leaf.self)) }, { Member(id: $0.id, number: $0.number) })
  }

  /// One of each way in which an engine may find out who is a member.
  static var all: [NewsListener] {
    [
      NewsListener("all") { $0 },
      NewsListener("some") { $0.filter("number > 3") },
      NewsListener("sorted") { $0.sorted(by: ["number", "id"]) },
      NewsListener("some, sorted") { $0.filter("id < 900").sorted(byKeyPath: "number") },
      NewsListener("distinct") { $0.sorted(byKeyPath: "id").distinct(by: ["number"]) },
      NewsListener("linking") { $0.filter("next.number > 3") },
      NewsListener(
        "list", { $0.object(ofType: Leaf.self, forPrimaryKey: 0)?.numbers },
        { Member(id: $0, number: 0) }),
    ]
  }

  func begin(in realm: Realm) {
    copy = nil
    token = listen(realm, self)
  }

  func end() {
    token?.invalidate()
    token = nil
  }

  var hasBegun: Bool { copy != nil }

  /// What is wrong with the copy of what the realm shows.
  func difference(in realm: Realm) -> String? {
    if let wrong { return wrong }
    guard let copy else { return nil }
    let now = members(realm)
    return copy == now ? nil : "\(name): \(copy.count) members were told, not the \(now.count)"
  }

  private func take<C: RealmCollection>(
    _ change: RealmCollectionChange<C>, _ member: (C.Element) -> Member
  ) {
    switch change {
    case .initial(let all):
      if copy != nil { complain("told twice that it begins") }
      copy = all.map(member)
    case .update(let all, let deletions, let insertions, let modifications):
      let now = all.map(member)
      follow(now, deletions, insertions, modifications)
      copy = now
    case .error(let error): complain("\(error)")
    }
  }

  private func complain(_ words: String) { wrong = wrong ?? "\(name): \(words)" }

  private func follow(
    _ now: [Member], _ deletions: [Int], _ insertions: [Int], _ modifications: [Int]
  ) {
    guard let copy else { return complain("told of a change before the beginning") }
    let (gone, come, changed) = (Set(deletions), Set(insertions), Set(modifications))
    if [deletions, insertions, modifications] != [gone.sorted(), come.sorted(), changed.sorted()] {
      return complain("positions that are not ascending")
    }
    if !gone.isDisjoint(with: changed) { return complain("deleted and modified at once") }
    if let last = [deletions.last, modifications.last].compactMap(\.self).max(), last >= copy.count
    {
      return complain("position \(last) of \(copy.count)")
    }
    let stayed = copy.indices.filter { !gone.contains($0) }
    guard stayed.count + come.count == now.count, insertions.last ?? 0 < max(1, now.count) else {
      return complain("\(stayed.count) stayed and \(come.count) came, there are \(now.count)")
    }
    let places = now.indices.filter { !come.contains($0) }
    for (was, place) in zip(stayed, places)
    where copy[was] != now[place] && !changed.contains(was) {
      return complain("\(copy[was]) is \(now[place]), and was not told")
    }
  }
}
