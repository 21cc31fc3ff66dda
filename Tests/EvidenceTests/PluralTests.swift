import Testing

@testable import Evidence

struct PluralTests {
  @Test func `one is one, and all others are many`() {
    #expect(Plural.text(1, "round") == "1 round" && Plural.text(0, "round") == "0 rounds")
    #expect(Plural.text(12, "round") == "12 rounds")
    #expect(Plural.text(2, "busy process", "busy processes") == "2 busy processes")
    #expect(Plural.text(1, "busy process", "busy processes") == "1 busy process")
  }
}
