import EngineUnderTest
import Foundation
import Harness

extension Specimen {
  /// All that is in it and leads to it, in words.
  fileprivate var told: String {
    let values = Fields.all.map { "\($0.name) \($0.read(from: self).map { "\($0)" } ?? "nil")" }
    let links = [next?.id, other?.id].map { $0.map { "\($0)" } ?? "nil" }
    let lists = [members.map(\.id), spares.map(\.id), group.map(\.id).sorted()].map { "\($0)" }
    let maps =
      named.keys.sorted().map { "\($0)=\(named[$0].flatMap { $0 }?.id ?? -1)" }
      + scores.keys.sorted().map { "\($0)=\(scores[$0] ?? -1)" }
    let rest = ["\(Array(numbers))", "\(Array(words))", "\(Array(labels).sorted())"]
    return (values + links + lists + maps + rest).joined(separator: " ")
  }

  fileprivate var leadingHere: String {
    [throughNext, throughOther, throughMembers, throughSpares, throughGroup]
      .map { "\($0.map(\.id).sorted())" }.joined(separator: " ")
  }
}

private enum Original {
  /// Specimens with something in each property.
  static func fill(_ realm: Realm) {
    for id in 0..<6 {
      let specimen = Specimen(id: id)
      for (place, field) in Fields.all.enumerated() {
        func set(_ field: some AnyField) { field.write(specimen, field.pick(UInt64(id + place))) }
        set(field)
      }
      realm.add(specimen)
    }
    for id in 0..<6 {
      let (one, two) = (realm.specimen(id)!, realm.specimen((id + 1) % 6)!)
      one.next = two
      one.other = realm.specimen((id + 2) % 6)
      for _ in 0..<2 { one.members.append(two) }
      one.spares.append(one)
      one.group.insert(two)
      one.named["key"] = .some(two)
      one.named["none"] = .some(nil)
      one.numbers.append(objectsIn: [id, nil, 3])
      one.words.append(objectsIn: ["", "w\(id)"])
      one.scores["s"] = id
      one.labels.insert("l\(id)")
    }
  }

  static func told(_ realm: Realm) -> [String] {
    let all = realm.objects(Specimen.self).sorted(byKeyPath: "id")
    return all.map(\.told) + all.map(\.leadingHere) + [
      "\(all.where { $0.name == "A" }.map(\.id))", "\(all.where { $0.number == 0 }.map(\.id))",
      "\(all.where { $0.tag == nil }.map(\.id))", "\(realm.specimen(3)?.id ?? -1)",
    ]
  }
}

extension Probe {
  /// Copies that are made at each moment, and what can be done with them.
  static let wholeCopies = ["at rest", "in a write", "in an untouched write", "of a frozen realm"]
    .map { moment in
      Probe("a copy made \(moment) has all that was there, and is a realm of its own") { stage in
        let realm = try Realm(configuration: stage.specimens())
        try realm.write { Original.fill(realm) }
        var source = realm
        if moment.contains("write") { realm.beginWrite() }
        if moment == "in a write" {
          realm.specimen(1)!.word = "changed"
          realm.specimen(2)!.members.append(realm.specimen(5)!)
          realm.delete(realm.specimen(4)!)
          realm.add(Specimen(id: 9))
        }
        if moment == "of a frozen realm" {
          source = realm.freeze()
          try realm.write { realm.specimen(1)!.word = "later" }
        }
        let wanted = Original.told(source)
        try source.writeCopy(configuration: stage.specimens("copy"))
        if realm.isInWriteTransaction { realm.cancelWrite() }
        let copy = try Realm(configuration: stage.specimens("copy"))
        stage.equal(Original.told(copy), wanted, "what is in the copy")
        // It goes on as any realm does.
        try copy.write {
          copy.delete(copy.specimen(2)!)
          copy.add(Specimen(id: 20))
        }
        stage.equal(copy.specimen(1)?.next?.id, nil, "a link to what was deleted in the copy")
        stage.equal(copy.specimen(1)?.members.count, 0, "a list that had it twice")
        stage.equal(copy.specimen(20)?.throughNext.count, 0, "links to what was added there")
        stage.expect(realm.specimen(2) != nil, "the original has it still")
      }
    }

  /// Unmanaged copies of an object with something in each property.
  static let copiesOfEachProperty = Probe("an unmanaged copy has values and collections of its own")
  { stage in
    let realm = try Realm(configuration: stage.specimens())
    try realm.write { Original.fill(realm) }
    let original = realm.specimen(1)!
    let before = original.told
    let copy = Specimen(value: original)
    stage.equal(copy.realm == nil, true, "whether the copy is free")
    stage.equal(copy.told, before, "what is in the copy")
    for (name, isFree) in [
      ("members", copy.members.realm == nil), ("group", copy.group.realm == nil),
      ("named", copy.named.realm == nil), ("numbers", copy.numbers.realm == nil),
      ("words", copy.words.realm == nil), ("scores", copy.scores.realm == nil),
      ("labels", copy.labels.realm == nil),
    ] {
      stage.equal(isFree, true, "whether the copy's \(name) are free")
    }
    // Each may be changed without a write, and the original knows nothing of it.
    copy.numbers.append(9)
    copy.words.removeAll()
    copy.scores["new"] = 9
    copy.labels.insert("new")
    copy.members.removeAll()
    copy.group.removeAll()
    copy.named.removeAll()
    copy.word = "new"
    stage.equal(original.told, before, "what is in the original")
    let changed = copy.told
    try realm.write {
      original.numbers.removeAll()
      original.words.append("later")
      original.scores["later"] = 1
      original.labels.removeAll()
    }
    stage.equal(copy.told, changed, "what is in the copy after the original changed")
  }

  /// Settings that contradict those of a realm that is open, wherever they are told.
  static let contradictions = ["here", "here, opened twice", "on another thread", "on a queue"].map
  {
    place in
    Probe.refuses(
      "an encryption key for a file that is open without, \(place)", saying: "encryption key",
      "encrypt"
    ) { stage in
      let realm = try stage.stocked()
      if place.contains("twice") { use(try stage.open().account(1).balance) }
      var configuration = stage.configuration()
      configuration.encryptionKey = Data(count: 64)
      let asked = configuration
      switch place {
      case "on another thread":
        try stage.elsewhere { stage.act { use(try Realm(configuration: asked).account(1)) } }
      case "on a queue":
        let queue = DispatchQueue(label: "other")
        try stage.elsewhere {
          queue.sync { stage.act { use(try Realm(configuration: asked, queue: queue).account(1)) } }
        }
      default: stage.act { use(try Realm(configuration: asked).account(1).balance) }
      }
      use(realm)
    }
  }

  /// Files that cannot be opened.
  static let failedOpenings = ["no realm", "a folder", "no folder", "read-only, missing"].map {
    kind in
    Probe(
      "asyncOpen tells on its queue what is wrong: \(kind)",
      leaves: kind == "no realm" ? "a file that is none" : nil
    ) { stage in
      var configuration = stage.configuration("wrong")
      let path = configuration.fileURL!
      switch kind {
      case "no realm": try Data(repeating: 7, count: 5000).write(to: path)
      case "a folder":
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: false)
      case "no folder":
        configuration.fileURL = stage.directory.appendingPathComponent("none/wrong.realm")
      default: configuration.readOnly = true
      }
      let queue = DispatchQueue(label: "callback")
      let key = DispatchSpecificKey<Int>()
      queue.setSpecific(key: key, value: 5)
      let called = Latch("the callback")
      let seen = Stamps()
      Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
        if case .failure = result { seen.mark("failure") }
        if DispatchQueue.getSpecific(key: key) == 5 { seen.mark("on the queue") }
        called.open()
      }
      try stage.wait(for: called)
      stage.expect(seen.of("failure") != nil, "a failure", observed: "a realm")
      stage.expect(seen.of("on the queue") != nil, "the callback's queue", observed: "elsewhere")
    }
  }
}
