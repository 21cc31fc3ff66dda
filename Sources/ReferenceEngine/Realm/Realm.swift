/// A database as one thread, queue or actor sees it: one version at a time, live until it is frozen.
///
/// A value over a shared `Session`: copies are the same realm.
public struct Realm {
  let session: Session

  init(_ session: Session) { self.session = session }

  /// What it was opened with.
  public var configuration: Configuration { session.configuration }
}

extension Realm: Equatable {
  /// Whether both are the same instance; two realms of one file on two threads are not.
  public static func == (left: Realm, right: Realm) -> Bool { left.session === right.session }
}
