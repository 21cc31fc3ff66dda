import EngineUnderTest

/// What leads to objects by mixed values, and owns others, in each kind of property that can.
final class Hamper: Object {
  @Persisted(primaryKey: true) var key: Int
  @Persisted var any: AnyRealmValue
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var some: MutableSet<AnyRealmValue>
  @Persisted var byName: Map<String, AnyRealmValue>
  @Persisted var address: Address?
  @Persisted var addresses: List<Address>
  @Persisted var places: Map<String, Address?>
  @Persisted var number: Int

  convenience init(key: Int) {
    self.init()
    self.key = key
  }
}
