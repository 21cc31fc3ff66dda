import CShims
import Testing

@testable import ReferenceEngine

/// What Swift declares once more, because C has no way to give it methods or references: it must
/// lie where the C that reads it believes it to.
@Suite struct `Swift and C` {
  @Test func `agree where a node's header has its words`() {
    #expect(MemoryLayout<NodeHeader>.size == rb_node_payload)
    #expect(MemoryLayout<NodeHeader>.offset(of: \.kind) == rb_node_kind)
    #expect(MemoryLayout<NodeHeader>.offset(of: \.width) == rb_node_width)
    #expect(MemoryLayout<NodeHeader>.offset(of: \.count) == rb_node_count)
    #expect(MemoryLayout<NodeHeader>.offset(of: \.checksum) == rb_node_checksum)
    #expect(MemoryLayout<NodeHeader>.offset(of: \.sizeAndBorn) == rb_node_size)
    let header = NodeHeader(kind: 3, width: 5, count: 7, units: 9, born: 11)
    #expect(header.units == 9 && header.bytes == 144 && header.born == 11)
  }

  @Test func `agree what a read of a property looks at`() {
    typealias InC = rb_object_words
    #expect(
      MemoryLayout<ObjectHeader>.offset(of: \.instant) == MemoryLayout<InC>.offset(of: \.instant))
    #expect(MemoryLayout<ObjectHeader>.offset(of: \.place) == MemoryLayout<InC>.offset(of: \.place))
    #expect(MemoryLayout<ObjectHeader>.offset(of: \.hot) == MemoryLayout<InC>.offset(of: \.session))
    #expect(
      MemoryLayout<ObjectHeader>.offset(of: \.generation)
        == MemoryLayout<InC>.offset(of: \.generation))
  }

  @Test func `agree what a session shares with its objects`() {
    typealias InC = rb_session_words
    #expect(MemoryLayout<HotLine>.offset(of: \.token) == MemoryLayout<InC>.offset(of: \.token))
    #expect(MemoryLayout<HotLine>.offset(of: \.mask) == MemoryLayout<InC>.offset(of: \.mask))
    #expect(MemoryLayout<HotLine>.offset(of: \.base) == MemoryLayout<InC>.offset(of: \.base))
    #expect(
      MemoryLayout<HotLine>.offset(of: \.generation)
        == MemoryLayout<InC>.offset(of: \.generation))
  }

  @Test func `agree how large everything is`() {
    #expect(NodeRef.largestFile == 1 << 38 - 1 << 30)
    #expect(ChangeLog.head == MemoryLayout<rb_record>.size)
    #expect(FileHeader.sector == MemoryLayout<rb_commit_slot>.size)
    #expect(PairBranch.entryBytes == MemoryLayout<rb_pair_entry>.size)
    #expect(ListBranch.entryBytes == MemoryLayout<rb_list_entry>.size)
  }
}
