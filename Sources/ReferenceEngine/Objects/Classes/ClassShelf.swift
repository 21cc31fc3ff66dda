/// Finds a class of a session by its Swift type with one comparison, where a dictionary would hash.
///
/// Plain memory: what a lookup reads is never counted, and never checked for exclusive access.
/// Filled when a class becomes known; of a frozen session, before any other thread has it. The
/// session owns what lies here, so nothing is retained.
struct ClassShelf {
  private static let places = 32
  private let types: UnsafeMutablePointer<ObjectIdentifier?>
  private let classes: UnsafeMutablePointer<Unmanaged<BoundClass>?>

  static func make() -> ClassShelf { ClassShelf() }

  private init() {
    types = .allocate(capacity: ClassShelf.places)
    types.initialize(repeating: nil, count: ClassShelf.places)
    classes = .allocate(capacity: ClassShelf.places)
    classes.initialize(repeating: nil, count: ClassShelf.places)
  }

  func deallocate() {
    types.deallocate()
    classes.deallocate()
  }

  /// The class, unless another one with the same place came after it.
  @inline(__always)
  func find(_ type: ObjectIdentifier) -> BoundClass? {
    let place = ClassShelf.place(type)
    return types[place] == type ? classes[place]?.takeUnretainedValue() : nil
  }

  func put(_ bound: BoundClass, _ type: ObjectIdentifier) {
    let place = ClassShelf.place(type)
    types[place] = type
    classes[place] = Unmanaged.passUnretained(bound)
  }

  @inline(__always)
  private static func place(_ type: ObjectIdentifier) -> Int {
    let address = UInt(bitPattern: type)
    return Int(bitPattern: (address &>> 4 ^ address &>> 9) & UInt(places - 1))
  }
}
