import CShims
import Synchronization

/// The openings of files that are under way in this process, each with its schema version: a
/// session is found in the `SessionCache` only when its opening has ended, and until then nobody
/// may migrate the file under it, nor it come to a file that is just being migrated.
enum Openings {
  /// One that is under way, from before it looks at the file's schema until its session can be
  /// found or there will be none.
  struct Opening: Sendable {
    fileprivate let number: UInt64
    fileprivate let place: PathKey
    fileprivate let version: UInt64
    /// The thread that opens, which migrates if that has to be.
    fileprivate let thread = UInt(rb_token_get())
    /// The child of a fork has none of its parent's.
    fileprivate let forks = rb_fork_count()
    fileprivate var isMigrating = false

    fileprivate func disagrees(with version: UInt64, about place: PathKey) -> Bool {
      self.version != version && self.place == place && forks == rb_fork_count()
    }
  }

  private struct Known {
    var openings: [Opening] = []
    var last: UInt64 = 0
  }
  /// Guards what is known, held for its accesses only.
  private static let known = Mutex(Known())

  /// Begins one; nil if somebody is migrating the file to another version.
  static func begin(_ place: String, version: UInt64) -> Opening? {
    let place = PathKey(place)
    return known.withLock { known in
      let isRefused = known.openings.contains {
        $0.isMigrating && $0.disagrees(with: version, about: place)
      }
      if isRefused { return nil }
      known.last += 1
      let opening = Opening(number: known.last, place: place, version: version)
      known.openings.append(opening)
      return opening
    }
  }

  /// Says that what the calling thread opens is about to be migrated: whoever comes from now on
  /// with another version is refused. False if somebody has come already.
  static func migrates(_ place: String, to version: UInt64) -> Bool {
    let (place, thread) = (PathKey(place), UInt(rb_token_get()))
    return known.withLock { known in
      if known.openings.contains(where: { $0.disagrees(with: version, about: place) }) {
        return false
      }
      for index in known.openings.indices {
        let opening = known.openings[index]
        if opening.thread == thread, opening.place == place {
          known.openings[index].isMigrating = true
        }
      }
      return true
    }
  }

  /// Its session can be found, or there is none.
  static func end(_ opening: Opening) {
    known.withLock { known in known.openings.removeAll { $0.number == opening.number } }
  }
}
