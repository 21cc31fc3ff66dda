/// The rules, a folder for each family and a file for each topic of it.
///
/// A family is about the same calls, and calls that only one kind of home has are with that home:
/// `asyncWrite` and `asyncRefresh` in `Actor`.
enum Rules {
  /// What a realm shows, and that reading waits for nobody.
  enum Read {
    static let all: [Rule] = [waiting, snapshots, liveViews, lookups].flatMap(\.self)
  }
  /// Writes that the caller waits for: `write`, `beginWrite`, `commitWrite`, `cancelWrite`.
  enum Write {
    static let all: [Rule] = [
      oneWriter, beginning, outsideAWrite, cancelling, failing, otherRealms,
    ].flatMap(\.self)
  }
  /// Which threads may use a realm and what comes from it.
  enum Confine {
    static let all: [Rule] = [refusing, allowing, instances].flatMap(\.self)
  }
  /// Realms whose home is a serial queue.
  enum Queue {
    static let all: [Rule] = [confinement, working].flatMap(\.self)
  }
  /// Writes that go on elsewhere: `writeAsync`, `beginAsyncWrite`, `commitAsyncWrite`.
  enum Async {
    static let all: [Rule] = [
      beginning, flags, committing, grouping, cancelling, ordering, closing,
    ].flatMap(\.self)
  }
  /// `ThreadSafeReference` and `@ThreadSafe`.
  enum Ref {
    static let all: [Rule] = [references, resolving, wrapper, routes].flatMap(\.self)
  }
  /// `refresh` and autorefresh, of any realm; `asyncRefresh` is in `Actor`.
  enum Refresh {
    static let all: [Rule] = [points, autorefresh].flatMap(\.self)
  }
  /// `freeze` and `thaw`.
  enum Freeze {
    static let all: [Rule] = [views, refusals, identity, thawing, lifetime].flatMap(\.self)
  }
  /// What a commit leaves, whatever happens in the middle of it.
  enum Commit {
    static let all: [Rule] = [atomicity, copyOnWrite, crashes].flatMap(\.self)
  }
  /// `observe`, of realms, objects and collections.
  enum Notify {
    static let all: [Rule] = [realms, collections, keyPaths, objects, delivery, tokens, refusals]
      .flatMap(\.self)
  }
  /// Realms whose home is an actor: `open`, `asyncWrite`, `asyncRefresh`.
  enum Actor {
    static let all: [Rule] = [
      opening, isolation, writing, asyncRefresh, passing, observing,
    ].flatMap(\.self)
  }
  /// What is `Sendable`.
  enum Send {
    static let all: [Rule] = types
  }
  /// Opening, invalidating, closing, copying and deleting.
  enum Life {
    static let all: [Rule] = [opening, invalidating, closing, copying, names].flatMap(\.self)
  }
  /// What makes a file larger, and what does not.
  enum Grow {
    static let all: [Rule] = pins
  }
  /// What queries, sorts, links and keys find: the folder `Data`, whose name is taken in Swift.
  enum Values {
    static let all: [Rule] = [queries, ordering, aggregates, links, keys, rows].flatMap(\.self)
  }
}

extension Catalogue {
  public static let all: [Rule] = ordered(families.flatMap { rules(of: $0.name) })

  public static func rule(_ id: String) -> Rule? {
    rules(of: String(id.prefix { $0 != "-" })).first { $0.id == id }
  }

  /// None of a family is put together before it is asked for: each child of an examination wants
  /// one rule, and all of them take it longer to make than most probes take.
  private static func rules(of family: String) -> [Rule] {
    switch family {
    case "READ": Rules.Read.all
    case "WRITE": Rules.Write.all
    case "CONFINE": Rules.Confine.all
    case "QUEUE": Rules.Queue.all
    case "ASYNC": Rules.Async.all
    case "REF": Rules.Ref.all
    case "REFRESH": Rules.Refresh.all
    case "FREEZE": Rules.Freeze.all
    case "COMMIT": Rules.Commit.all
    case "NOTIFY": Rules.Notify.all
    case "ACTOR": Rules.Actor.all
    case "SEND": Rules.Send.all
    case "LIFE": Rules.Life.all
    case "GROW": Rules.Grow.all
    case "DATA": Rules.Values.all
    default: []
    }
  }
}
