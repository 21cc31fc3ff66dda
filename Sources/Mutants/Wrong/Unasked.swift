#if Mutants
import Foundation
@_private(sourceFile: "SectionedResults.swift") import ReferenceEngine
@_private(sourceFile: "RealmError.swift") import ReferenceEngine

// Calls that the suite did not make.

extension SectionGrouping {
  @_dynamicReplacement(for:positions(of:))
  func unaskedPositions(of key: Key) -> [Int] {
    let right = positions(of: key)
    return breaks(.sectionsKeepTheirOrder) ? right.sorted(by: >) : right
  }
}

extension RealmCollection {
  @_dynamicReplacement(for:index(matching:))
  public func unaskedIndex(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    if breaks(.questionsFindTheFirst), realm != nil {
      return self.where(isIncluded).last.flatMap { index(of: $0) }
    }
    return index(matching: isIncluded)
  }
}

extension Migration {
  @_dynamicReplacement(for:renameProperty(onType:from:to:))
  public func unaskedRename(
    onType typeName: String, from oldName: String, to newName: String
  ) {
    if breaks(.renamedListsKeepTheirValues), newSchema[typeName]?[newName]?.isArray == true {
      return
    }
    renameProperty(onType: typeName, from: oldName, to: newName)
  }

  @_dynamicReplacement(for:enumerateObjects(ofType:_:))
  public func unaskedEnumerate(
    ofType typeName: String,
    _ block: (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) -> Void
  ) {
    if breaks(.lostClassesAreShown), newSchema[typeName] == nil { return }
    guard breaks(.oldObjectsStayAsTheyWere), keepsAll(of: typeName) else {
      return enumerateObjects(ofType: typeName, block)
    }
    enumerateObjects(ofType: typeName) { _, newObject in block(newObject, newObject) }
  }
}

extension Realm.Error {
  @_dynamicReplacement(for:init(_:_:_:))
  init(unasked code: Code, _ message: String, _ path: String?) {
    self.init(code, message, breaks(.errorsNameTheirFile) ? nil : path)
  }
}

extension Realm {
  @_dynamicReplacement(for:dynamicCreate(_:value:update:))
  public func unaskedDynamicCreate(
    _ name: String, value: Any, update: UpdatePolicy
  ) -> DynamicObject {
    var given = value
    if breaks(.madeByNameIsWhole), let values = value as? [String: Any] {
      given = values.filter { !($0.value is [Any]) }
    }
    return dynamicCreate(name, value: given, update: update)
  }
}
#endif
