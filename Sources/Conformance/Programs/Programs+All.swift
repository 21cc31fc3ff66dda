// One for each rule that has random programs beside a model.
extension Programs {
  static let reading = Programs(
    "between refreshes", more: [.refresh: 2, .commits: 1, .otherRefreshes: 1, .hold: 2, .ask: 3])
  static let ownWrites = Programs(
    "in a write", more: [.begin: 6, .ask: 6, .holdMember: 3, .deleteMany: 2, .edit: 4])
  static let accessors = Programs(
    "through all accessors", more: [.set: 6, .edit: 6, .hold: 5, .holdMember: 5, .embedded: 3])

  static let added = Programs(
    "added and cancelled", more: [.begin: 6, .cancel: 8, .put: 5, .replace: 5, .hold: 5])
  static let cancelled = Programs(
    "deleted and cancelled", more: [.begin: 6, .cancel: 8, .delete: 4, .deleteMany: 3, .hold: 5])

  static let chained = Programs("filtered, sorted and distinct", more: [.ask: 14, .set: 6])
  static let positions = Programs("members by position", more: [.ask: 10, .run: 2, .edit: 4])
  static let linking = Programs("links backwards", more: [.set: 4, .edit: 8, .holdMember: 8])
  static let deleting = Programs(
    "deleted where they were held",
    more: [.delete: 5, .deleteMany: 5, .edit: 6, .holdMember: 5, .replace: 2])
  static let keyed = Programs(
    "keys of all kinds", more: [.put: 6, .create: 10, .replace: 6, .delete: 3, .embedded: 3])
  static let collecting = Programs(
    "collections of all kinds", more: [.edit: 20, .holdMember: 8, .create: 5, .embedded: 5])

  static let sending = Programs(
    "by reference", more: [.send: 12, .receive: 12, .hold: 5, .holdMember: 6, .ask: 4])
  static let sendingTheDead = Programs(
    "by reference, and deleted",
    more: [.send: 12, .receive: 10, .hold: 6, .holdMember: 4, .delete: 6, .replace: 8])

  static let freezing = Programs(
    "frozen", more: [.freeze: 12, .hold: 5, .holdMember: 6, .ask: 6])
  static let thawing = Programs(
    "frozen and thawed", more: [.freeze: 10, .thaw: 12, .hold: 6, .holdMember: 5, .ask: 5])
  static let thawingTheDead = Programs(
    "frozen, deleted and thawed",
    more: [.freeze: 10, .thaw: 14, .hold: 8, .delete: 5, .replace: 10, .refresh: 4])

  static let refreshing = Programs(
    "deleted elsewhere", more: [.refresh: 8, .hold: 8, .delete: 4, .replace: 6, .run: 2, .spin: 2])
  static let ending = Programs(
    "deleted and invalidated",
    more: [.hold: 8, .holdMember: 8, .delete: 4, .deleteMany: 3, .replace: 8, .invalidate: 2])

  static let tellingOfMembers = Programs(
    "what listeners of collections are told", more: Programs.listening)
  static let tellingOfMany = Programs(
    "what listeners are told of many changes",
    more: Programs.listening.merging([.run: 4, .commits: 5]) { $1 })
  static let tellingOfLinks = Programs(
    "what listeners are told of links",
    more: Programs.listening.merging([.set: 8, .edit: 10, .embedded: 4]) { $1 })
  static let tellingOfObjects = Programs(
    "what listeners of objects are told",
    more: Programs.listening.merging([.set: 14, .delete: 3]) { $1 })
  static let tellingAtOnce = Programs(
    "what listeners are told at once",
    more: Programs.listening.merging([.refresh: 3, .replace: 8, .commits: 3]) { $1 })

  static let looping = Programs(
    "walked through while they change", more: [.walk: 8, .stroll: 14, .run: 3, .commits: 2])
  static let lookingUp = Programs(
    "found by keys and indexes", more: [.put: 6, .create: 4, .replace: 5, .refresh: 6, .ask: 8],
    there: 2)
  static let failing = Programs(
    "commits that fail", more: [.fail: 14, .hold: 5, .holdMember: 4, .ask: 4, .send: 2])
  static let afterFailures = Programs(
    "what listeners are told after failures",
    more: Programs.listening.merging([.fail: 12, .set: 4]) { $1 })
  static let writingLater = Programs(
    "asynchronous writes", more: [.later: 16, .hold: 5, .holdMember: 4, .ask: 4])
  static let completing = Programs(
    "what asynchronous writes are told",
    more: Programs.listening.merging([.later: 14, .fail: 3]) { $1 })
  static let onQueue = Programs(
    "on a queue", more: [.otherRefreshes: 6, .receive: 4, .send: 4, .edit: 6, .set: 6], there: 2)
  static let variables = Programs(
    "variables for all threads",
    more: [.variable: 20, .hold: 8, .holdMember: 6, .replace: 6, .delete: 3, .away: 6])
  static let comingUp = Programs(
    "moved by refreshes", more: [.refresh: 14, .hold: 6, .holdMember: 6, .ask: 6, .commits: 3],
    there: 2)
  static let moving = Programs(
    "moved by writes",
    more: [.begin: 6, .cancel: 4, .commit: 4, .receive: 4, .send: 4, .later: 3, .ask: 5], there: 2)
  static let counting = Programs(
    "versions let go", more: [.freeze: 10, .send: 8, .variable: 6, .away: 6, .stroll: 4, .ask: 6])
  static let invalidating = Programs(
    "invalidated", more: [.invalidate: 8, .hold: 8, .holdMember: 8, .freeze: 6, .thaw: 6, .ask: 5])
  static let comparing = Programs("compared", more: [.ask: 18, .set: 10, .put: 4])
  static let computing = Programs(
    "computed", more: [.ask: 18, .set: 6, .edit: 10, .deleteMany: 2])
  static let keeping = Programs(
    "kept among many", more: [.run: 8, .set: 6, .delete: 3, .deleteMany: 3, .copy: 3])
  static let silencing = Programs(
    "what listeners are not told",
    more: Programs.listening.merging([.quietly: 14, .set: 4]) { $1 })

  static let acting = Programs(
    "written by actors", more: [.perform: 24, .hold: 4, .holdMember: 4, .send: 8, .refresh: 4])
  static let actorsCatchUp = Programs(
    "actors that come to what others wrote",
    more: [.perform: 6, .attend: 8, .commits: 2, .refresh: 8, .away: 2], there: 2)
  static let tellingActors = Programs(
    "what listeners on actors are told",
    more: [.attend: 16, .refresh: 10, .perform: 4, .set: 6, .edit: 8, .replace: 2])
  static let tellingActorsOfObjects = Programs(
    "what listeners of objects on actors are told",
    more: [.attend: 18, .refresh: 12, .perform: 3, .set: 16, .delete: 3])

  static let copying = Programs(
    "copied to other files",
    more: [.copy: 10, .begin: 6, .edit: 6, .nested: 4, .put: 4, .copyOut: 2])
  static let copyingOut = Programs(
    "copied out of it", more: [.copyOut: 20, .edit: 8, .nested: 5, .begin: 3, .create: 3])

  static let neighbours = Programs(
    "among processes", more: [.neighbour: 24, .refresh: 6, .hold: 4, .freeze: 4, .run: 2])
  static let keepingElsewhere = Programs(
    "kept by another process",
    more: [.neighbour: 20, .commits: 4, .run: 4, .deleteMany: 2, .later: 3, .reopen: 2])
  static let tellingOfNeighbours = Programs(
    "what listeners are told of other processes",
    more: Programs.listening.merging([.neighbour: 16, .set: 3]) { $1 })

  private static let listening: [WideProgram.Verb: Int] = [
    .listen: 12, .refresh: 10, .quietly: 3, .endListening: 1, .begin: 3, .cancel: 2,
    // They end what listens.
    .invalidate: -1, .reopen: -1,
  ]
}
