import Testing

@testable import Evidence

/// Nothing kept a number from being given to another rule, or a name from vanishing.
struct NameRegisterTests {
  private static let living = ["A-01": "One must hold.", "A-02": "Two must hold."]
  private static var register: NameRegister {
    var register = NameRegister("rule A-03 retired 2026-01-02 nobody could ever break it\n")
    register.learn(living.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, of: "rule")
    return register
  }

  private func objections(_ names: [String: String]) -> [String] {
    Self.register.objections(to: names, of: "rule")
  }

  @Test func `names that stayed what they were are fine, however they are broken into lines`() {
    #expect(objections(Self.living) == [])
    #expect(objections(["A-01": "One  must\nhold.", "A-02": "Two must hold."]) == [])
    #expect(objections(["A-01": "One must always hold.", "A-02": "Two must hold."]) == [])
    #expect(Self.register.objections(to: [:], of: "benchmark") == [])
  }

  @Test func `a retired name is never given again`() {
    let found = objections(Self.living.merging(["A-03": "Three must hold."]) { $1 })
    #expect(found.count == 1 && found[0].contains("A-03 was retired on 2026-01-02"), "\(found)")
    #expect(found[0].contains("nobody could ever break it"))
  }

  @Test func `a rule that moves to another number is seen`() {
    let swapped = objections(["A-01": "Two must hold.", "A-02": "One must hold."])
    #expect(swapped.contains("A-01 says what A-02 said: a name keeps its meaning"))
    let moved = objections(["A-01": "One must hold.", "A-04": "Two must hold."])
    #expect(moved.contains { $0.hasPrefix("A-04 says what A-02 said") }, "\(moved)")
    #expect(moved.contains { $0.hasPrefix("A-02 has vanished") })
  }

  @Test func `what is new must be registered, and what is gone retired`() {
    #expect(
      objections(Self.living.merging(["A-04": "Four must hold."]) { $1 })
        == ["A-04 is not registered"])
    #expect(
      objections(["A-01": "One must hold."])
        == ["A-02 has vanished: retire it, with the day and the reason"])
  }

  @Test func `learning adds and mends nothing that is wrong`() {
    var register = Self.register
    let moved = ["A-01": "One must hold.", "A-03": "Three must hold.", "A-04": "Two must hold."]
    register.learn(moved.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, of: "rule")
    let found = register.objections(to: moved, of: "rule")
    for name in ["A-02 has vanished", "A-03 was retired", "A-04 says what"] {
      #expect(found.contains { $0.hasPrefix(name) }, "\(name): \(found)")
    }
  }

  @Test func `it reads what it writes, and refuses what it cannot read`() {
    let again = NameRegister(Self.register.text)
    #expect(again.entries == Self.register.entries && again.faults.isEmpty)
    for line in [
      "rule A-01", "rule A-01 retired", "rule A-01 retired yesterday for a good reason",
      "rule A-01 retired 2026-01-02 no", "rule A-01 hash",
    ] { #expect(NameRegister(line).faults.count == 1, "\(line)") }
    #expect(NameRegister("rule A-01 01234567\nrule A-01 01234567").faults.count == 1)
  }
}
