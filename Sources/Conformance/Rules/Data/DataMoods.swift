import EngineUnderTest
import Foundation
import Harness

enum Temper: String, PersistableEnum {
  case glad, sad, calm
}

enum Rank: Int, PersistableEnum {
  case low = -1
  case middle = 5
  case high = 1_000
}

/// Somebody with values of enumerations in each place that can have one.
final class Moody: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var mood: Temper
  @Persisted var rank: Rank
  @Persisted var maybeMood: Temper?
  @Persisted var maybeRank: Rank?
  @Persisted var moods: List<Temper>
  @Persisted var ranks: List<Rank>
  @Persisted var moodSet: MutableSet<Temper>
  @Persisted var rankMap: Map<String, Rank>
  @Persisted var start: Temper = .calm

  convenience init(id: Int) {
    self.init()
    self.id = id
  }
}

/// Values of enumerations are kept, found, sorted and told like the values they stand for.
enum Moods {
  private static func configuration(_ stage: Stage) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: stage.directory.appendingPathComponent("moods.realm"), objectTypes: [Moody.self])
  }

  private static let moods = Temper.allCases
  private static let ranks = Rank.allCases

  private static func fill(_ realm: Realm, _ count: Int) {
    for id in 0..<count {
      let moody = Moody(id: id)
      moody.mood = moods[id % 3]
      moody.rank = ranks[id / 3 % 3]
      moody.maybeMood = id % 4 == 3 ? nil : moods[id % 4]
      moody.maybeRank = id % 4 == 0 ? nil : ranks[id % 4 - 1]
      moody.moods.append(objectsIn: (0..<(id % 5)).map { moods[$0 % 3] })
      moody.ranks.append(objectsIn: [ranks[id % 3], ranks[id % 3]])
      moody.moodSet.insert(objectsIn: [moods[id % 3], .sad])
      moody.rankMap["a"] = ranks[id % 3]
      moody.rankMap["b"] = .high
      realm.add(moody)
    }
  }

  static let kept = Probe("values of enumerations are kept in each place") { stage in
    let realm = try Realm(configuration: configuration(stage))
    try realm.write { fill(realm, 40) }
    func look(_ realm: Realm, _ moment: String) {
      for moody in realm.objects(Moody.self) {
        let (id, what) = (moody.id, "\(moody.id), \(moment)")
        stage.equal(moody.mood, moods[id % 3], "the mood of \(what)")
        stage.equal(moody.rank, ranks[id / 3 % 3], "the rank of \(what)")
        stage.equal(moody.maybeMood, id % 4 == 3 ? nil : moods[id % 4], "the other of \(what)")
        stage.equal(
          moody.maybeRank, id % 4 == 0 ? nil : ranks[id % 4 - 1], "the other rank of \(what)")
        stage.equal(
          Array(moody.moods), (0..<(id % 5)).map { moods[$0 % 3] }, "the moods of \(what)")
        stage.equal(Array(moody.ranks), [ranks[id % 3], ranks[id % 3]], "the ranks of \(what)")
        stage.equal(Set(moody.moodSet), [moods[id % 3], .sad], "the set of \(what)")
        stage.equal(moody.rankMap["a"], ranks[id % 3], "the map of \(what)")
        stage.equal(moody.rankMap["c"], nil, "what the map of \(what) does not have")
        stage.equal(moody.start, .calm, "the mood that \(what) began with")
      }
      stage.equal(realm.objects(Moody.self).count, 40, "how many there are, \(moment)")
    }
    look(realm, "at first")
    let frozen = realm.freeze()
    realm.beginWrite()
    for moody in realm.objects(Moody.self) {
      moody.mood = .calm
      moody.rank = .high
      moody.maybeMood = nil
      moody.maybeRank = .low
      moody.moods.removeAll()
      moody.ranks[0] = .middle
      moody.moodSet.remove(.sad)
      moody.rankMap["a"] = nil
    }
    stage.equal(realm.objects(Moody.self)[0].mood, .calm, "a mood in the write")
    realm.cancelWrite()
    look(realm, "after a cancelled write")
    let configuration = configuration(stage)
    try stage.elsewhere { look(try Realm(configuration: configuration), "elsewhere") }
    try realm.write { realm.objects(Moody.self)[0].mood = .sad }
    stage.equal(realm.objects(Moody.self)[0].mood, .sad, "a mood that was changed")
    look(frozen, "frozen")
    // Made of values, by their raw ones and by themselves.
    try realm.write {
      realm.create(
        Moody.self, value: ["id": 100, "mood": "sad", "rank": 1_000] as [String: Any])
      realm.create(
        Moody.self, value: ["id": 101, "mood": Temper.calm, "rank": Rank.middle] as [String: Any])
      realm.create(
        Moody.self, value: ["id": 0, "maybeMood": "calm"] as [String: Any], update: .modified)
    }
    func found(_ id: Int) -> Moody? { realm.object(ofType: Moody.self, forPrimaryKey: id) }
    stage.equal(found(100)?.mood, .sad, "a mood by its raw value")
    stage.equal(found(100)?.rank, .high, "a rank by its raw value")
    stage.equal(found(101)?.mood, .calm, "a mood by itself")
    stage.equal(found(101)?.rank, .middle, "a rank by itself")
    stage.equal(found(0)?.maybeMood, .calm, "a mood that was updated")
    stage.equal(found(0)?.mood, .sad, "the mood beside it")
  }

  static let found = Probe("values of enumerations are found and sorted as what they stand for") {
    stage in
    for count in [1, 7, 70] + (stage.isDeep ? [300] : []) {
      let realm = try Realm(configuration: configuration(stage))
      try realm.write {
        realm.deleteAll()
        fill(realm, count)
      }
      let all = realm.objects(Moody.self)
      func ids(_ results: Results<Moody>) -> [Int] { results.map(\.id).sorted() }
      func expected(_ test: (Moody) -> Bool) -> [Int] { all.filter(test).map(\.id).sorted() }
      for mood in moods {
        let who = expected { $0.mood == mood }
        stage.equal(ids(all.where { $0.mood == mood }), who, "who is \(mood) of \(count)")
        stage.equal(ids(all.filter("mood == %@", mood.rawValue)), who, "\(mood), by a format")
        stage.equal(
          ids(all.where { $0.mood != mood }), expected { $0.mood != mood }, "who is not \(mood)")
        stage.equal(
          ids(all.where { $0.maybeMood == mood }), expected { $0.maybeMood == mood },
          "who may be \(mood)")
        stage.equal(
          ids(all.where { $0.maybeMood != mood }), expected { $0.maybeMood != mood },
          "who may be anything but \(mood)")
        stage.equal(
          ids(all.where { $0.moods.contains(mood) }), expected { $0.moods.contains(mood) },
          "who has \(mood) in a list")
        stage.equal(
          ids(all.where { $0.moodSet.contains(mood) }), expected { $0.moodSet.contains(mood) },
          "who has \(mood) in a set")
        stage.equal(
          ids(all.where { $0.mood.in([mood, .sad]) }),
          expected { $0.mood == mood || $0.mood == .sad }, "who is \(mood) or sad")
      }
      stage.equal(
        ids(all.where { $0.maybeMood == nil }), expected { $0.maybeMood == nil }, "who has no mood")
      for rank in ranks {
        stage.equal(ids(all.where { $0.rank == rank }), expected { $0.rank == rank }, "of \(rank)")
        stage.equal(
          ids(all.where { $0.maybeRank == rank }), expected { $0.maybeRank == rank },
          "who may be of \(rank)")
        stage.equal(
          ids(all.where { $0.ranks.contains(rank) }), expected { $0.ranks.contains(rank) },
          "who has \(rank) in a list")
        stage.equal(
          ids(all.filter("rank > %@", rank.rawValue)),
          expected { $0.rank.rawValue > rank.rawValue }, "who is above \(rank)")
      }
      for ascending in [true, false] {
        let sorted = all.sorted(by: [
          SortDescriptor(keyPath: "rank", ascending: ascending),
          SortDescriptor(keyPath: "mood", ascending: !ascending), SortDescriptor(keyPath: "id"),
        ])
        let order = all.sorted { one, other in
          if one.rank != other.rank {
            return (one.rank.rawValue < other.rank.rawValue) == ascending
          }
          if one.mood != other.mood {
            return (one.mood.rawValue < other.mood.rawValue) != ascending
          }
          return one.id < other.id
        }
        stage.equal(Array(sorted.map(\.id)), order.map(\.id), "sorted, up: \(ascending), \(count)")
      }
      stage.equal(
        Set(all.distinct(by: ["mood"]).map(\.mood)), Set(all.map(\.mood)), "each mood once")
      stage.equal(
        all.distinct(by: ["mood"]).count, Set(all.map(\.mood)).count, "how many moods there are")
    }
  }
}
