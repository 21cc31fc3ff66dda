import EngineUnderTest
import Foundation

/// A question to a realm with a cargo in it, in two steps: what it is put to is fetched first, and
/// asked then, once or again; and the answer that the cargo gives.
struct CargoQuestion: Sendable {
  let name: String
  /// Whether what is fetched belongs to one object, which nobody asks where there is none.
  let isOfOne: Bool
  let prepare: @Sendable (Realm) -> () -> String
  let answer: @Sendable (Cargo) -> String

  private init(
    _ name: String, isOfOne: Bool = false,
    _ prepare: @escaping @Sendable (Realm) -> () -> String,
    _ answer: @escaping @Sendable (Cargo) -> String
  ) { (self.name, self.isOfOne, self.prepare, self.answer) = (name, isOfOne, prepare, answer) }

  static let all: [CargoQuestion] =
    whole + properties + collections + found + sorted + places + numbers + backwards
    + (Engine.offersReins ? beyond : [])

  // MARK: - Of the whole

  /// Asked of the realm, each time anew.
  private static func ask(
    _ name: String, _ ask: @escaping @Sendable (Realm) -> String,
    _ answer: @escaping @Sendable (Cargo) -> String
  ) -> CargoQuestion { CargoQuestion(name, { realm in { ask(realm) } }, answer) }

  private static let whole: [CargoQuestion] = [
    ask("whether it is empty", { "\($0.isEmpty)" }, { "\($0.ids.isEmpty)" }),
    ask("how many", { "\($0.objects(Vessel.self).count)" }, { "\($0.ids.count)" }),
    ask("who is there", { text($0.objects(Vessel.self)) }, { "\($0.ids)" }),
    ask(
      "who has a key", { realm in "\((0..<9).map { realm.vessel($0)?.id ?? -1 })" },
      { cargo in "\((0..<9).map { cargo.pieces[$0] == nil ? -1 : $0 })" }),
    ask(
      "what each has",
      { realm in
        realm.objects(Vessel.self).sorted(byKeyPath: "id").map { values($0) }.joined()
      }, { cargo in cargo.ids.map { values(cargo[$0], $0) }.joined() }),
  ]

  /// What an object's single properties hold.
  static func values(_ vessel: Vessel) -> String {
    "\(vessel.id) \(vessel.number) \(vessel.maybe ?? -9) \(vessel.text) \(vessel.name) "
      + "\(vessel.maybeText ?? "nil") \(vessel.ratio) \(vessel.truth) "
      + "\(vessel.day.timeIntervalSince1970) \(vessel.price) \(vessel.data.count) "
      + "\(vessel.mixed.intValue ?? -9) \(vessel.link?.id ?? -1) \(vessel.part?.text ?? "nil");"
  }

  static func values(_ piece: Cargo.Piece, _ id: Int) -> String {
    "\(id) \(piece.number) \(piece.maybe ?? -9) \(piece.text) \(piece.name) "
      + "\(piece.maybeText ?? "nil") \(piece.ratio) \(piece.truth) "
      + "\(Double(piece.day)) \(piece.price) \(piece.bytes) "
      + "\(piece.mixed) \(piece.link ?? -1) \(piece.part ?? "nil");"
  }

  // MARK: - Of an object

  /// Put to what one object has; the object with the least key is there in each turn.
  private static func of<Owner>(
    _ name: String, _ owner: @escaping @Sendable (Vessel) -> Owner,
    _ ask: @escaping @Sendable (Owner) -> String,
    _ answer: @escaping @Sendable (Cargo, Cargo.Piece) -> String
  ) -> CargoQuestion {
    CargoQuestion(
      name, isOfOne: true,
      { realm in
        guard let vessel = realm.vessel(0) else { return { "nobody" } }
        let owner = owner(vessel)
        return { ask(owner) }
      }, { cargo in cargo.pieces[0].map { answer(cargo, $0) } ?? "nobody" })
  }

  private static func of<Owner>(
    _ name: String, _ owner: @escaping @Sendable (Vessel) -> Owner,
    _ ask: @escaping @Sendable (Owner) -> String,
    _ answer: @escaping @Sendable (Cargo.Piece) -> String
  ) -> CargoQuestion { of(name, owner, ask) { _, piece in answer(piece) } }

  /// Asked of what one object has about each other object that is there.
  private static func member<Owner>(
    _ name: String, _ owner: @escaping @Sendable (Vessel) -> Owner,
    _ ask: @escaping @Sendable (Owner, Vessel) -> String,
    _ answer: @escaping @Sendable (Cargo.Piece, Int) -> String
  ) -> CargoQuestion {
    of(
      name, { (owner: owner($0), realm: $0.realm!) },
      { owner, realm in
        (0..<9).map { realm.vessel($0).map { ask(owner, $0) } ?? "-" }.joined(separator: " ")
      },
      { cargo, piece in
        (0..<9).map { cargo.pieces[$0] == nil ? "-" : answer(piece, $0) }.joined(separator: " ")
      })
  }

  private static func property(
    _ name: String, _ ask: @escaping @Sendable (Vessel) -> String,
    _ answer: @escaping @Sendable (Cargo.Piece) -> String
  ) -> CargoQuestion { of(name, { $0 }, ask, answer) }

  private static let properties: [CargoQuestion] = [
    property("its properties", { values($0) }, { values($0, 0) }),
    property(
      "a number, by its name", { "\(ByName.value("number", of: $0) ?? -9)" },
      {
        "\($0.number)"
      }),
    property(
      "a text, by value(forKey:)", { "\($0.value(forKey: "text") ?? "nil")" },
      {
        "\($0.text)"
      }),
    property("whether it is invalid", { "\($0.isInvalidated)" }, { _ in "false" }),
    property("its own copy", { values(Vessel(value: $0)) }, { values($0, 0) }),
    CargoQuestion(
      "what its link leads to", isOfOne: true,
      { realm in
        guard let vessel = realm.vessel(0) else { return { "nobody" } }
        return { vessel.link?.name ?? "nobody" }
      }, { cargo in cargo.pieces[0]?.link.map { cargo[$0].name } ?? "nobody" }),
  ]

  private static let collections: [CargoQuestion] = [
    of("a list of objects", \.links, { "\($0.map(\.id))" }, { "\($0.links)" }),
    of("the count of a list", \.links, { "\($0.count)" }, { "\($0.links.count)" }),
    of("the first of a list", \.links, { "\($0.first?.id ?? -1)" }, { "\($0.links.first ?? -1)" }),
    of("the last of a list", \.links, { "\($0.last?.id ?? -1)" }, { "\($0.links.last ?? -1)" }),
    of(
      "a list, in a loop", { $0.links },
      { list in
        var ids: [Int] = []
        for one in list { ids.append(one.id) }
        return "\(ids)"
      }, { "\($0.links)" }),
    of(
      "a list, erased", { AnyRealmCollection($0.links) }, { "\($0.map(\.id))" },
      {
        "\($0.links)"
      }),
    of(
      "a set of objects", { $0.group }, { "\($0.map(\.id).sorted())" },
      {
        "\($0.group.sorted())"
      }),
    of(
      "a map of objects", { $0.named },
      { map in
        "\(map.keys.sorted().map { "\($0) \(map[$0]??.id ?? -1)" })"
      }, { piece in "\(piece.named.keys.sorted().map { "\($0) \(piece.named[$0]!)" })" }),
    of("a list of numbers", { $0.numbers }, { "\(Array($0))" }, { "\($0.numbers)" }),
    of(
      "the sum of a list", { $0.numbers }, { "\($0.sum())" },
      {
        "\($0.numbers.reduce(0, +))"
      }),
    of(
      "the greatest of a list", { $0.numbers }, { "\($0.max() ?? -9)" },
      {
        "\($0.numbers.max() ?? -9)"
      }),
    of(
      "a list of numbers, sorted", { $0.numbers.sorted(ascending: false) }, { "\(Array($0))" },
      {
        "\(Array($0.numbers.sorted().reversed()))"
      }),
    of("a list of texts", { $0.texts }, { "\(Array($0))" }, { "\($0.texts)" }),
    of(
      "where a list has each text", { $0.texts },
      { list in "\((0..<4).map { list.index(of: "t\($0)") ?? -1 })" },
      { piece in "\((0..<4).map { piece.texts.firstIndex(of: "t\($0)") ?? -1 })" }),
    of(
      "where a list has each number", { $0.numbers },
      { list in "\((0..<5).map { list.index(of: $0) ?? -1 })" },
      { piece in "\((0..<5).map { piece.numbers.firstIndex(of: $0) ?? -1 })" }),
    of(
      "where a list of mixed values has each", { $0.mixture },
      { list in "\((0..<9).map { list.index(of: .int($0)) ?? -1 })" },
      { piece in "\((0..<9).map { piece.mixture.firstIndex(of: $0) ?? -1 })" }),
    member(
      "where a list has each object", \.links, { "\($0.index(of: $1) ?? -1)" },
      { "\($0.links.firstIndex(of: $1) ?? -1)" }),
    member(
      "whether a set has each object", \.group, { "\($0.contains($1))" },
      { "\($0.group.contains($1))" }),
    of(
      "a list of objects, filtered", { $0.links.where { $0.number > 0 } }, { "\($0.map(\.id))" },
      { cargo, piece in "\(piece.links.filter { cargo[$0].number > 0 })" }),
    of(
      "a list of objects, sorted", { $0.links.sorted(byKeyPath: "id", ascending: false) },
      { "\($0.map(\.id))" }, { "\($0.links.sorted().reversed() as [Int])" }),
    of("a set of texts", { $0.labels }, { "\(Array($0).sorted())" }, { "\($0.labels.sorted())" }),
    of(
      "whether a set has a text", { $0.labels }, { "\($0.contains("l1"))" },
      {
        "\($0.labels.contains("l1"))"
      }),
    of(
      "a map of texts", { $0.titles },
      { map in
        "\(map.keys.sorted().map { "\($0) \(map[$0] ?? "nil")" })"
      }, { piece in "\(piece.titles.keys.sorted().map { "\($0) \(piece.titles[$0]!)" })" }),
    of(
      "a map, in a loop", { $0.titles },
      { map in
        "\(map.map { "\($0.key) \($0.value)" }.sorted())"
      }, { piece in "\(piece.titles.map { "\($0.key) \($0.value)" }.sorted())" }),
    of(
      "a list of mixed values", { $0.mixture }, { "\($0.map { $0.intValue ?? -9 })" },
      {
        "\($0.mixture)"
      }),
    of("a list of embedded objects", { $0.parts }, { "\($0.map(\.text))" }, { "\($0.parts)" }),
  ]

  // MARK: - Of what is found

  static func text(_ results: Results<Vessel>) -> String { "\(results.map(\.id).sorted())" }

  /// Asked twice, as a typed query and in words.
  private static func found(
    _ name: String, _ words: String,
    _ query: @escaping @Sendable (Query<Vessel>) -> Query<Bool>,
    _ holds: @escaping @Sendable (Cargo, Cargo.Piece) -> Bool
  ) -> [CargoQuestion] {
    let answer: @Sendable (Cargo) -> String = { cargo in
      "\(cargo.ids.filter { holds(cargo, cargo[$0]) })"
    }
    return [
      CargoQuestion(
        "\(name), in words",
        { realm in
          let results = realm.objects(Vessel.self).filter(words)
          return { text(results) }
        }, answer),
      CargoQuestion(
        "\(name), typed",
        { realm in
          let results = realm.objects(Vessel.self).where(query)
          return { text(results) }
        }, answer),
    ]
  }

  private static let found: [CargoQuestion] =
    found("a number", "number == 4", { $0.number == 4 }, { $1.number == 4 })
    + found("a greater number", "number > 1", { $0.number > 1 }, { $1.number > 1 })
    + found(
      "a number between", "number BETWEEN {-1, 3}", { $0.number.contains(-1...3) },
      { (-1...3).contains($1.number) })
    + found("no number", "maybe == nil", { $0.maybe == nil }, { $1.maybe == nil })
    + found("another number", "maybe != 5", { $0.maybe != 5 }, { $1.maybe != 5 })
    + found("a text", "text == 'text 1'", { $0.text == "text 1" }, { $1.text == "text 1" })
    + found(
      "a text, whatever its letters", "text ==[c] 'TEXT 1'",
      { $0.text.equals("TEXT 1", options: .caseInsensitive) },
      { $1.text.lowercased() == "text 1" })
    + found(
      "an indexed text", "name == 'name 3'", { $0.name == "name 3" }, { $1.name == "name 3" })
    + found(
      "several indexed texts", "name IN {'name 1', 'name 4'}",
      { $0.name.in(["name 1", "name 4"]) }, { ["name 1", "name 4"].contains($1.name) })
    + found(
      "the beginning of a text", "text BEGINSWITH 'Te'", { $0.text.starts(with: "Te") },
      { $1.text.hasPrefix("Te") })
    + found(
      "a text that may be missing", "maybeText CONTAINS '2'", { $0.maybeText.contains("2") },
      { $1.maybeText?.contains("2") == true })
    + found("a fraction", "ratio < 0.5", { $0.ratio < 0.5 }, { $1.ratio < 0.5 })
    + found("a truth", "truth == true", { $0.truth == true }, { $1.truth })
    + found("who leads nowhere", "link == nil", { $0.link == nil }, { $1.link == nil })
    + found(
      "behind a link", "link.number > 0", { $0.link.number > 0 },
      { cargo, piece in piece.link.map { cargo[$0].number > 0 } ?? false })
    + found(
      "behind two links", "link.link.truth == true", { $0.link.link.truth == true },
      { cargo, piece in piece.link.flatMap { cargo[$0].link }.map { cargo[$0].truth } ?? false })
    + found(
      "one of a list", "ANY links.number == 4", { $0.links.number == 4 },
      { cargo, piece in piece.links.contains { cargo[$0].number == 4 } })
    + found(
      "how many a list has", "links.@count >= 2", { $0.links.count >= 2 }, { $1.links.count >= 2 })
    + found(
      "a number of a list", "ANY numbers == 3", { $0.numbers.contains(3) },
      { $1.numbers.contains(3) })
    + found(
      "a text of a set", "ANY labels == 'l2'", { $0.labels.contains("l2") },
      { $1.labels.contains("l2") })
    + found(
      "a key of a map", "ANY titles.@keys == 'k1'", { $0.titles.keys == "k1" },
      { $1.titles.keys.contains("k1") })
    + found(
      "what is embedded", "part.text == 'part 2'", { $0.part.text == "part 2" },
      { $1.part == "part 2" })
    + found(
      "several at once", "number > 0 AND NOT truth == true OR name == 'name 2'",
      { ($0.number > 0 && !($0.truth == true)) || $0.name == "name 2" },
      { $1.number > 0 && !$1.truth || $1.name == "name 2" })

  // MARK: - In their order

  private static func view(
    _ name: String, _ find: @escaping @Sendable (Results<Vessel>) -> Results<Vessel>,
    _ answer: @escaping @Sendable (Cargo) -> [Int]
  ) -> CargoQuestion {
    CargoQuestion(
      name,
      { realm in
        let results = find(realm.objects(Vessel.self))
        return { "\(results.map(\.id))" }
      }, { "\(answer($0))" })
  }

  private static func order(_ cargo: Cargo, _ comes: (Cargo.Piece, Cargo.Piece) -> Bool?) -> [Int] {
    cargo.ids.sorted { comes(cargo[$0], cargo[$1]) ?? ($0 < $1) }
  }

  private static let sorted: [CargoQuestion] = [
    view(
      "sorted by a number", { $0.sorted(by: [.init(keyPath: "number"), .init(keyPath: "id")]) },
      { order($0) { $0.number == $1.number ? nil : $0.number < $1.number } }),
    view(
      "sorted by a number that may be missing",
      { $0.sorted(by: [.init(keyPath: "maybe", ascending: false), .init(keyPath: "id")]) },
      { order($0) { $0.maybe == $1.maybe ? nil : ($0.maybe ?? .min) > ($1.maybe ?? .min) } }),
    view(
      "sorted by a text, downwards",
      { $0.sorted(by: [.init(keyPath: "name", ascending: false), .init(keyPath: "id")]) },
      { order($0) { $0.name == $1.name ? nil : $0.name > $1.name } }),
    view(
      "filtered and sorted", { $0.where { $0.truth == true }.sorted(byKeyPath: "id") },
      { cargo in cargo.ids.filter { cargo[$0].truth } }),
    view(
      "sorted and filtered",
      {
        $0.sorted(byKeyPath: "id", ascending: false).where { $0.number > 1 }
      }, { cargo in cargo.ids.filter { cargo[$0].number > 1 }.reversed() }),
    view(
      "one of each name", { $0.sorted(byKeyPath: "id").distinct(by: ["name"]) },
      { cargo in
        var names: Set<String> = []
        return cargo.ids.filter { names.insert(cargo[$0].name).inserted }
      }),
  ]

  // MARK: - Where somebody is

  private static func places(
    _ name: String, _ find: @escaping @Sendable (Realm) -> Results<Vessel>,
    _ answer: @escaping @Sendable (Cargo) -> [Int]
  ) -> CargoQuestion {
    CargoQuestion(
      "where each is among \(name)",
      { realm in
        let results = find(realm)
        return {
          "\((0..<9).map { realm.vessel($0).map { results.index(of: $0) ?? -1 } ?? -2 })"
        }
      },
      { cargo in
        let ids = answer(cargo)
        return "\((0..<9).map { cargo.pieces[$0] == nil ? -2 : ids.firstIndex(of: $0) ?? -1 })"
      })
  }

  private static let places: [CargoQuestion] = [
    places(
      "all, sorted", { $0.objects(Vessel.self).sorted(byKeyPath: "id", ascending: false) },
      { $0.ids.reversed() }),
    places(
      "those found, sorted",
      { $0.objects(Vessel.self).where { $0.truth == true }.sorted(byKeyPath: "id") },
      { cargo in cargo.ids.filter { cargo[$0].truth } }),
  ]

  // MARK: - Computed

  private static func computed(
    _ name: String, _ ask: @escaping @Sendable (Results<Vessel>) -> String,
    _ answer: @escaping @Sendable ([Cargo.Piece]) -> String
  ) -> [CargoQuestion] {
    [
      CargoQuestion(
        "\(name) of all",
        { realm in
          let results = realm.objects(Vessel.self)
          return { ask(results) }
        }, { cargo in answer(cargo.ids.map { cargo[$0] }) }),
      CargoQuestion(
        "\(name) of some",
        { realm in
          let results = realm.objects(Vessel.self).where { $0.number >= 0 }
          return { ask(results) }
        }, { cargo in answer(cargo.ids.map { cargo[$0] }.filter { $0.number >= 0 }) }),
    ]
  }

  private static let numbers: [CargoQuestion] =
    computed("the sum", { "\($0.sum(of: \.number))" }, { "\($0.reduce(0) { $0 + $1.number })" })
    + computed(
      "the sum of what may be missing", { "\($0.sum(ofProperty: "maybe") as Int)" },
      { "\($0.reduce(0) { $0 + ($1.maybe ?? 0) })" })
    + computed(
      "the least", { "\($0.min(of: \.number) ?? -9)" },
      {
        "\($0.map(\.number).min() ?? -9)"
      })
    + computed(
      "the greatest", { "\($0.max(of: \.maybe) ?? -9)" },
      {
        "\($0.compactMap(\.maybe).max() ?? -9)"
      })
    + computed(
      "the mean", { "\(($0.average(of: \.ratio) ?? -9) * 4)" },
      { pieces in
        let sum = pieces.reduce(0) { $0 + $1.ratio }
        return "\((pieces.isEmpty ? -9 : sum / Double(pieces.count)) * 4)"
      })
    + computed(
      "the last day", { "\($0.max(of: \.day)?.timeIntervalSince1970 ?? -9)" },
      {
        "\($0.map { Double($0.day) }.max() ?? -9)"
      })
    + computed(
      "where the first is",
      {
        "\($0.sorted(byKeyPath: "id").index(matching: "truth == true") ?? -1)"
      }, { "\($0.firstIndex { $0.truth } ?? -1)" })

  // MARK: - Backwards, and in sections

  private static let backwards: [CargoQuestion] = [
    ask(
      "who links to each",
      { realm in
        realm.objects(Vessel.self).sorted(byKeyPath: "id")
          .map { "\($0.throughLink.map(\.id).sorted())\($0.throughLinks.map(\.id).sorted())" }
          .joined()
      },
      { cargo in
        var (links, members): ([Int: [Int]], [Int: [Int]]) = ([:], [:])
        for id in cargo.ids {
          if let link = cargo[id].link { links[link, default: []].append(id) }
          for member in cargo[id].links { members[member, default: []].append(id) }
        }
        return cargo.ids.map { "\(links[$0] ?? [])\(members[$0] ?? [])" }.joined()
      }),
    CargoQuestion(
      "who links to one", isOfOne: true,
      { realm in
        guard let linking = realm.vessel(0)?.throughLink else { return { "[]" } }
        return { "\(linking.map(\.id).sorted())" }
      }, { cargo in "\(cargo.ids.filter { cargo[$0].link == 0 })" }),
  ]

  /// What only some engines can be asked.
  private static let beyond: [CargoQuestion] = [
    CargoQuestion(
      "sections",
      { realm in
        let sections = realm.objects(Vessel.self).sectioned(by: \.number)
        return { sections.map { "\($0.key): \($0.map(\.id).sorted())" }.joined() }
      },
      { cargo in
        let sections = Dictionary(grouping: cargo.ids) { cargo[$0].number }
        return sections.keys.sorted().map { "\($0): \(sections[$0]!)" }.joined()
      }),
    ask(
      "a projection",
      { realm in
        realm.objects(VesselView.self).sorted(byKeyPath: "id")
          .map { "\($0.number) \($0.partText ?? "nil") \(Array($0.names))" }.joined()
      },
      { cargo in
        cargo.ids.map { id in
          let piece = cargo[id]
          return "\(piece.number) \(piece.part ?? "nil") \(piece.links.map { cargo[$0].name })"
        }.joined()
      }),
    ask(
      "the names of all, by name",
      { realm in
        let all = realm.objects(Vessel.self).sorted(byKeyPath: "id")
        return "\(ByName.values("name", of: all) as? [String] ?? [])"
      },
      { cargo in "\(cargo.ids.map { cargo[$0].name })" }),
    CargoQuestion(
      "objects by the name of their class",
      { realm in
        let objects = realm.dynamicObjects("Vessel")
        return { "\(objects.map { $0["id"] as? Int ?? -1 }.sorted())" }
      }, { "\($0.ids)" }),
  ]
}
