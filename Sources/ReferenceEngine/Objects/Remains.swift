import CShims
import Foundation
@_spi(Reflection) import Swift

/// What free objects and free collections held when they were let go.
///
/// Swift lets go of what an object holds from inside letting go of the object: a chain of objects
/// ends the program on the stack. So the first of them keeps what it held until it is done, those
/// within it add theirs, and one goes after the other.
///
/// A superclass's deinit runs before what the subclasses store is let go, so `ObjectBase` finds
/// their wrappers whole.
struct Remains {
  /// A property that may hold objects or collections of them.
  private struct Keeper {
    let offset: Int
    let wrapper: any PersistedStorage.Type
  }

  private var due: [Any] = []

  /// Takes what a free object holds from it.
  @inline(never)
  static func take(from object: ObjectBase) {
    let keepers = keepers(of: type(of: object))
    if keepers.isEmpty { return }
    let raw = Unmanaged.passUnretained(object).toOpaque()
    add { due in
      for keeper in keepers { keeper.wrapper.take(at: raw + keeper.offset, into: &due) }
    }
  }

  /// Lets go of a free collection's members, as soon as what is let go already allows it.
  static func take<Member>(_ members: inout [Member]) {
    if members.isEmpty { return }
    add { due in
      due.append(members)
      members = []
    }
  }

  private static func add(_ take: (inout [Any]) -> Void) {
    if let first = rb_remains_get()?.assumingMemoryBound(to: Remains.self) {
      return take(&first.pointee.due)
    }
    var remains = Remains()
    take(&remains.due)
    if remains.due.isEmpty { return }
    withUnsafeMutablePointer(to: &remains) { first in
      rb_remains_set(first)
      // Each goes when the next one is asked for, and not while the list is changed.
      while first.pointee.due.popLast() != nil {}
      rb_remains_set(nil)
    }
  }

  // MARK: Classes

  /// Apart from the layout of the class, which nobody may have asked for, and which a class that
  /// contradicts itself has not.
  private final class Known: Sendable {
    let lock = NSLock()  // guards `keepers`
    nonisolated(unsafe) var keepers = ByClass<[Keeper]>()
  }
  private static let known = Known()

  /// Stores which properties of a class may hold other objects. Called while the layout of the
  /// class is made, which has just listed them, so that they need not be listed a second time.
  static func know(_ type: ObjectBase.Type, _ fields: [ClassLayout.Field]) {
    let keepers = fields.filter { $0.wrapper.mayHoldObjects }.map {
      Keeper(offset: $0.offset, wrapper: $0.wrapper)
    }
    known.lock.withLock { known.keepers[ObjectIdentifier(type)] = keepers }
  }

  private static func keepers(of type: ObjectBase.Type) -> [Keeper] {
    let id = ObjectIdentifier(type)
    if let found = known.lock.withLock({ known.keepers[id] }) { return found }
    var keepers: [Keeper] = []
    _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { _, offset, kind, _ in
      if let wrapper = kind as? any PersistedStorage.Type, wrapper.mayHoldObjects {
        keepers.append(Keeper(offset: offset, wrapper: wrapper))
      }
      return true
    }
    known.lock.withLock { known.keepers[id] = keepers }
    return keepers
  }
}

extension PersistedStorage {
  /// Whether a value of the property may be, or lead to, an object or a collection of mixed values.
  static var mayHoldObjects: Bool { valueType._rlmType == .object || valueType._rlmType == .any }
}
