import Foundation

@testable import ReferenceEngine

/// A small file with a node of every kind, as it is before it is damaged: its bytes, an older state
/// of it, and another file.
struct DamageVictim: Sendable {
  /// A node that the newest version reaches, or its record.
  struct Node: Sendable {
    let place: Int
    let bytes: Int
    let kind: UInt8
    /// Where in the file its references stand.
    let references: [Int]
  }

  let bytes: [UInt8]
  let nodes: [Node]
  let end: Int
  /// The same file some commits before.
  let older: [UInt8]
  /// A file of another history, whose nodes lie in much the same places.
  let other: [UInt8]

  static let classes: [ObjectBase.Type] = [
    Person.self, Dog.self, Keyed.self, Named.self, Everything.self, Address.self,
  ]

  static func configuration(
    _ path: String, readOnly: Bool = false, checks: Bool = false
  ) -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: path), readOnly: readOnly, objectTypes: classes)
    configuration.cache = false
    configuration.checksEverything = checks
    configuration.commitProtocol = .none
    return configuration
  }

  init(in folder: String) throws {
    (_, other, _, _) = try DamageVictim.make(folder + "/other.realm", salt: 2)
    (older, bytes, nodes, end) = try DamageVictim.make(folder + "/victim.realm", salt: 1)
  }

  private static func make(
    _ path: String, salt: Int
  ) throws -> (older: [UInt8], bytes: [UInt8], nodes: [Node], end: Int) {
    func session(_ work: (Realm, Int) throws -> Void) throws {
      try work(try Realm(configuration: configuration(path)), salt)
    }
    try session(fill)
    let older = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    try session(change)
    let coordinator = try Coordinator(StorageConfiguration(location: .file(path: path)))
    let root = coordinator.board.newestRoot
    var nodes: [Node] = []
    let tree = NodeTree.trees
    func note(_ ref: NodeRef) {
      let (node, header) = (coordinator.space.node(ref), coordinator.space.header(ref))
      var references: [Int] = []
      if tree.mayRefer(header.kind, header.width) {
        tree.forEachReference(node) { references.append(Int(ref.raw) + $0) }
      }
      nodes.append(
        Node(
          place: Int(ref.raw), bytes: header.bytes, kind: header.kind, references: references))
    }
    try NodeWalk(space: coordinator.space, end: root.end, tree: tree)
      .each(from: root.top, path: path) { ref, _ in
        note(ref)
        return true
      }
    note(root.log)
    let size = try coordinator.disk.size()
    var bytes = [UInt8](repeating: 0, count: Int(size))
    _ = try bytes.withUnsafeMutableBytes { try coordinator.disk.read(into: $0, at: 0) }
    return (older, bytes, nodes.sorted { $0.place < $1.place }, Int(root.end))
  }

  private static func fill(_ realm: Realm, _ salt: Int) throws {
    try realm.write {
      for index in 0..<330 {
        realm.create(Keyed.self, value: [index * salt, "name \(index % 7)"])
      }
      for index in 0..<90 { realm.create(Named.self, value: ["key \(index * salt)", index]) }
      for index in 0..<4 {
        let text = String(repeating: "long \(index + salt) ", count: 3 + index * 20)
        let everything = realm.create(
          Everything.self,
          value: [
            "bool": true, "int": index << 40, "int8": index, "int16": index * 300,
            "float": Float(index) / 3, "double": Double(index) / 7, "string": text,
            "data": Data(text.utf8), "date": Date(timeIntervalSince1970: Double(index)),
            "objectId": ObjectId(high: UInt64(index), low: 7), "any": AnyRealmValue.string(text),
            "decimal": Decimal128(index * 11), "stringOptional": "some", "intOptional": index,
            "dataOptional": Data(repeating: 7, count: index * 90),
          ])
        everything.link = realm.objects(Everything.self).first
        everything.address = Address()
        everything.address?.street = "street \(salt)"
        everything.ints.append(objectsIn: (0..<(index * 110)).map { $0 * salt })
        everything.strings.append(objectsIn: ["a", nil, text, "b\(salt)"])
        for street in ["one", "two"] {
          let address = Address()
          address.street = street
          everything.addresses.append(address)
        }
        everything.intSet.insert(objectsIn: [5, 1, salt])
        everything.stringSet.insert(objectsIn: ["x", "y", text])
        everything.linkSet.insert(everything)
        everything.intMap["one"] = salt
        everything.intMap["two"] = 2
        everything.linkMap["me"] = everything
      }
    }
  }

  private static func change(_ realm: Realm, _ salt: Int) throws {
    try realm.write {
      for index in 0..<20 {
        let person = Person(name: "person \(index)")
        person.age = index * salt
        person.email = index % 3 == 0 ? nil : "mail \(index)"
        realm.add(person)
        let dog = realm.create(Dog.self, value: ["dog \(index)", index + salt])
        person.dogs.append(dog)
        person.best = dog
      }
    }
    try realm.write {
      for keyed in Array(realm.objects(Keyed.self)) where keyed.id % 5 == 3 { realm.delete(keyed) }
    }
    try realm.write {
      for keyed in realm.objects(Keyed.self).prefix(9) { keyed.name = "renamed \(salt)" }
      realm.objects(Everything.self).first?.int = 77
    }
  }
}
