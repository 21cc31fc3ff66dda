import CRealmCore
import Foundation

/// Classes as realm-core wants them told.
final class CoreSchema {
  let handle: Handle
  private var texts: [UnsafeMutablePointer<CChar>] = []

  init(_ layouts: [ClassLayout]) {
    var texts: [UnsafeMutablePointer<CChar>] = []
    func text(_ string: String) -> UnsafePointer<CChar> {
      let copy = strdup(string)!
      texts.append(copy)
      return UnsafePointer(copy)
    }
    var classes: [rc_class] = []
    var lists: [UnsafeMutableBufferPointer<rc_property>] = []
    for layout in CoreSchema.closed(layouts) {
      let stored = layout.fields.filter { $0.property.isStored }
      let computed = layout.fields.filter { !$0.property.isStored }
      let list = UnsafeMutableBufferPointer<rc_property>.allocate(capacity: layout.fields.count)
      for (place, field) in (stored + computed).enumerated() {
        list.initializeElement(at: place, to: CoreSchema.told(field.property, text))
      }
      lists.append(list)
      classes.append(
        rc_class(
          name: text(layout.name),
          primary_key: text(
            layout.primaryKey.map { layout.fields[$0].property.columnName } ?? ""),
          properties: stored.count, computed: computed.count, key: 0x7fff_ffff,
          flags: layout.isEmbedded ? 1 : 0))
    }
    var pointers: [UnsafePointer<rc_property>?] = lists.map { UnsafePointer($0.baseAddress) }
    let count = classes.count
    handle = check(core.realm_schema_new(&classes, count, &pointers))
    for list in lists { list.deallocate() }
    self.texts = texts
  }

  deinit {
    core.realm_release(handle)
    for text in texts { free(text) }
  }

  /// The classes and all that they link to.
  private static func closed(_ layouts: [ClassLayout]) -> [ClassLayout] {
    var found: [ClassLayout] = []
    var names: Set<String> = []
    var rest = layouts
    while let layout = rest.popLast() {
      guard names.insert(layout.name).inserted else { continue }
      found.append(layout)
      rest += layout.fields.compactMap { $0.linked.map(ClassLayout.of) }
    }
    return found.sorted { $0.name < $1.name }
  }

  private static func told(
    _ property: Property, _ text: (String) -> UnsafePointer<CChar>
  ) -> rc_property {
    let type: Int32 =
      switch property.type {
      case .int: 0
      case .bool: 1
      case .string: 2
      case .data: 4
      case .any: 6
      case .date: 8
      case .float: 9
      case .double: 10
      case .decimal128: 11
      case .object: 12
      case .linkingObjects: 14
      case .objectId: 15
      case .UUID: 17
      }
    // Links backwards are told as a list.
    let isBackwards = property.type == .linkingObjects
    let collection: Int32 =
      switch property.shape {
      case .single: isBackwards ? 1 : 0
      case .list: 1
      case .set: 2
      case .map: 4
      }
    // A link is always optional but in a list or a set, where it never is.
    let isLink = property.type == .object
    let isOptional =
      isLink ? property.shape == .single || property.shape == .map : property.isOptional
    var flags: Int32 = isOptional ? 1 : 0
    if property.isPrimaryKey { flags |= 2 }
    if property.isIndexed { flags |= 4 }
    let isMapped = property.columnName != property.name
    return rc_property(
      name: text(property.columnName), public_name: text(isMapped ? property.name : ""),
      type: type, collection: collection, target: text(property.objectClassName ?? ""),
      origin: text(property.linkOriginPropertyName ?? ""), key: -1, flags: flags)
  }
}
