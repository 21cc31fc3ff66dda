/// Copies what is in a mixed value: its lists and dictionaries, and all within them, become free
/// ones that nobody else has.
///
/// Step by step and not by recursion: free ones may lie in each other as deep as anybody likes, and
/// in themselves.
struct MixedCopy {
  private enum Step {
    case list(from: List<AnyRealmValue>, to: List<AnyRealmValue>)
    case dictionary(from: Map<String, AnyRealmValue>, to: Map<String, AnyRealmValue>)
  }
  private var due: [Step] = []
  /// The copies of free ones, which may be met again. What they were made of lives as long as the
  /// value that is copied.
  private var made: [ObjectIdentifier: AnyRealmValue] = [:]

  static func of(_ value: AnyRealmValue) -> AnyRealmValue {
    var copy = MixedCopy()
    let copied = copy.copied(value)
    while let step = copy.due.popLast() { copy.take(step) }
    return copied
  }

  private mutating func copied(_ value: AnyRealmValue) -> AnyRealmValue {
    switch value {
    case .list(let list):
      if let known = made[ObjectIdentifier(list)] { return known }
      let copy = List<AnyRealmValue>()
      due.append(.list(from: list, to: copy))
      if list.managed == nil { made[ObjectIdentifier(list)] = .list(copy) }
      return .list(copy)
    case .dictionary(let map):
      if let known = made[ObjectIdentifier(map)] { return known }
      let copy = Map<String, AnyRealmValue>()
      due.append(.dictionary(from: map, to: copy))
      if map.managed == nil { made[ObjectIdentifier(map)] = .dictionary(copy) }
      return .dictionary(copy)
    default: return value
    }
  }

  private mutating func take(_ step: Step) {
    switch step {
    case .list(let list, let copy):
      for element in list.all { copy.elements.append(copied(element)) }
    case .dictionary(let map, let copy):
      for (key, value) in map.all { copy.elements[key] = copied(value) }
    }
  }
}

extension AnyRealmValue {
  public static func _rlmCopied(_ value: AnyRealmValue) -> AnyRealmValue {
    switch value {
    case .list, .dictionary: MixedCopy.of(value)
    default: value
    }
  }
}
