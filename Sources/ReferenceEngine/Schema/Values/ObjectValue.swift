/// An object among values: here it is equal to others or not, what else it is the floor of objects
/// knows.
struct ObjectValue: Hashable {
  let object: any ComparedObject

  static func == (left: ObjectValue, right: ObjectValue) -> Bool {
    left.object.isEqual(to: right.object)
  }

  func hash(into hasher: inout Hasher) { object.hash(into: &hasher) }
}

/// What can be asked of every object that is a value.
protocol ComparedObject: AnyObject {
  func isEqual(to other: any ComparedObject) -> Bool
  func hash(into hasher: inout Hasher)
}
