/// The rules, a folder for each family and a file for each topic of it.
enum Rules {
  enum Read {
    static let all: [Rule] = [waiting, snapshots, liveViews, lookups].flatMap(\.self)
  }
  enum Write {
    static let all: [Rule] = [
      oneWriter, beginning, outsideAWrite, cancelling, failing, otherRealms,
    ].flatMap(\.self)
  }
  enum Confine {
    static let all: [Rule] = [refusing, allowing, instances].flatMap(\.self)
  }
  enum Queue {
    static let all: [Rule] = [confinement, working].flatMap(\.self)
  }
  enum Async {
    static let all: [Rule] = [
      beginning, flags, committing, grouping, cancelling, ordering, closing,
    ].flatMap(\.self)
  }
  enum Ref {
    static let all: [Rule] = [references, resolving, wrapper, routes].flatMap(\.self)
  }
  enum Refresh {
    static let all: [Rule] = [points, autorefresh].flatMap(\.self)
  }
  enum Freeze {
    static let all: [Rule] = [views, refusals, identity, thawing, lifetime].flatMap(\.self)
  }
  enum Commit {
    static let all: [Rule] = [atomicity, copyOnWrite, crashes].flatMap(\.self)
  }
  enum Notify {
    static let all: [Rule] = [realms, collections, keyPaths, objects, delivery, tokens, refusals]
      .flatMap(\.self)
  }
  enum Actor {
    static let all: [Rule] = [opening, isolation, writing, refreshing, passing, observing].flatMap(
      \.self)
  }
  enum Send {
    static let all: [Rule] = types
  }
  enum Life {
    static let all: [Rule] = [opening, invalidating, closing, copying, names].flatMap(\.self)
  }
  enum Grow {
    static let all: [Rule] = pins
  }
  enum Values {
    static let all: [Rule] = [queries, ordering, aggregates, links, keys, rows].flatMap(\.self)
  }
}

extension Catalogue {
  public static let all: [Rule] = ordered(
    [
      Rules.Read.all,
      Rules.Write.all,
      Rules.Confine.all,
      Rules.Queue.all,
      Rules.Async.all,
      Rules.Ref.all,
      Rules.Refresh.all,
      Rules.Freeze.all,
      Rules.Commit.all,
      Rules.Notify.all,
      Rules.Actor.all,
      Rules.Send.all,
      Rules.Life.all,
      Rules.Grow.all,
      Rules.Values.all,
    ].flatMap(\.self))
}
