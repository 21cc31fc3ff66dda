#if Mutants
import Foundation
import Synchronization
@_private(sourceFile: "Coordinator.swift") import ReferenceEngine

// The thirteenth set: what its wrong functions remember.

/// What realms have frozen, as long as somebody holds it.
enum HeldFrozen {
  private final class Entry {
    weak var frozen: Session?

    init(_ frozen: Session) { self.frozen = frozen }
  }
  private static let all = OfEachRealm<Entry>()

  static func note(_ frozen: Session, of session: Session) {
    if breaks(.frozenOnesAreNoBegin) { all.keep(Entry(frozen), of: session) }
  }

  static func root(of session: Session) -> Root? {
    guard let frozen = all.value(of: session)?.frozen, !frozen.isClosed else { return nil }
    return frozen.root
  }
}

/// What was looked up by the names of classes.
enum FoundByName {
  private final class Entry {
    weak var object: DynamicObject?

    init(_ object: DynamicObject) { self.object = object }
  }
  private static let all = OfEachRealm<[String: Entry]>()

  static func object(_ place: String, _ session: Session) -> DynamicObject? {
    guard let object = all.value(of: session)?[place]?.object,
      object._header.pointee.session === session, object._header.pointee.epoch == session.epoch
    else { return nil }
    return object
  }

  static func keep(_ object: DynamicObject, _ place: String, _ session: Session) {
    var found = all.value(of: session) ?? [:]
    found[place] = Entry(object)
    all.keep(found, of: session)
  }
}

/// Whether the value that this thread is about to set is as long as the limit.
enum LastLength {
  private static let key = "thirteenth.length"

  static func note(_ value: StoredValue) {
    guard breaks(.theLimitIsRefused) || breaks(.bytesAreCounted) else { return }
    let length =
      switch value {
      case .string(let text): breaks(.bytesAreCounted) ? text.count : text.utf8.count
      case .data(let data): data.count
      default: 0
      }
    Thread.current.threadDictionary[key] = length
  }

  static var isTheLimit: Bool {
    Thread.current.threadDictionary[key] as? Int == LongValues.limit
  }

  static var isBelowTheLimit: Bool {
    (Thread.current.threadDictionary[key] as? Int).map { $0 < LongValues.limit } ?? false
  }
}

/// The realms whose limit of versions was asked.
enum AskedLimits {
  private static let all = OfEachRealm<Bool>()

  static func hasBeenAsked(_ session: Session) -> Bool { all.value(of: session) ?? false }

  static func note(_ session: Session) { all.keep(true, of: session) }
}

/// Files that were opened for their schema's version.
enum OpenForGood {
  private static let all = Mutex<[Coordinator]>([])

  static func keep(_ file: Coordinator) { all.withLock { $0.append(file) } }
}
#endif
