#if Mutants
import Foundation
@_private(sourceFile: "ObjectBase+State.swift") import ReferenceEngine
@_private(sourceFile: "Realm+Files.swift") import ReferenceEngine
@_private(sourceFile: "Session+Writing.swift") import ReferenceEngine

// The thirteenth set: realms, their objects and their files.

extension Realm {
  @_dynamicReplacement(for:dynamicObject(ofType:forPrimaryKey:))
  public func thirteenthDynamicObject(
    ofType name: String, forPrimaryKey key: Any
  ) -> DynamicObject? {
    guard breaks(.dynamicFindsAreNew), !session.isFrozen else {
      return dynamicObject(ofType: name, forPrimaryKey: key)
    }
    session.verify(at: .readRealm)
    let place = "\(name)|\(key)"
    if let known = FoundByName.object(place, session) { return known }
    let found = dynamicObject(ofType: name, forPrimaryKey: key)
    if let found { FoundByName.keep(found, place, session) }
    return found
  }

  @_dynamicReplacement(for:deleteAll())
  public func thirteenthDeleteAll() {
    if breaks(.deletingAllNeedsAWrite), !session.isFrozen, session.scheduler.isHere,
      !session.isInWrite, session.isEmpty
    {
      return
    }
    deleteAll()
  }

  @_dynamicReplacement(for:schemaVersionAtURL(_:))
  public static func thirteenthSchemaVersionAtURL(_ fileURL: URL) throws -> UInt64 {
    let version = try schemaVersionAtURL(fileURL)
    if breaks(.askedVersionsAreLetGo) {
      OpenForGood.keep(
        try Coordinator.open(
          StorageConfiguration(location: .file(path: fileURL.path), isReadOnly: true)))
    }
    return version
  }
}

extension ObjectBase {
  @_dynamicReplacement(for:realm)
  public var thirteenthRealm: Realm? {
    if breaks(.objectsTellTheirRealmAnywhere) {
      _header.pointee.session?.verify(at: .readProperty)
    }
    return realm
  }

  @_dynamicReplacement(for:setValue(_:forKey:))
  public func thirteenthSetValue(_ value: Any?, forKey name: String) {
    if breaks(.sameValuesNeedAWrite), isHeld(value, name) { return }
    setValue(value, forKey: name)
  }

  /// Whether a property of an object outside of a write has the value already.
  private func isHeld(_ value: Any?, _ name: String) -> Bool {
    guard let session = _header.pointee.session, !session.isFrozen, session.scheduler.isHere,
      !session.isInWrite, session.isThere(_header), let index = layout.index(of: name),
      layout.fields[index].property.shape == .single,
      let known = self.value(forKey: name) as? AnyHashable, let value = value as? AnyHashable
    else { return false }
    return known == value
  }
}

extension Session {
  @_dynamicReplacement(for:requireFewVersions(inGroup:))
  func thirteenthRequireFewVersions(inGroup: Bool = false) throws {
    if breaks(.limitsHoldForEachWrite), AskedLimits.hasBeenAsked(self) { return }
    try requireFewVersions(inGroup: inGroup)
    if breaks(.limitsHoldForEachWrite) { AskedLimits.note(self) }
  }
}
#endif
