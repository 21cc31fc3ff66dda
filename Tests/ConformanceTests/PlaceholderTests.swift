import Testing

@Test func `the room exists`() { #expect(Bool(true)) }
