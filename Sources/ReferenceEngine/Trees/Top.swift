import CShims

/// The root of one version: its tables, and the schema that tells what they mean.
///
/// Its node is an `rb_top`: a blob with the stored schema (u64 length, then the bytes; 0 = none),
/// and a reference for each table, 0 where one has never been written.
struct Top {
  let space: NodeSpace
  let ref: NodeRef

  init(space: NodeSpace, ref: NodeRef) { (self.space, self.ref) = (space, ref) }

  /// The top's own node, after a look at it.
  private var node: UnsafeRawPointer {
    if !space.examine(ref, from: space.knowledge, NodeKind.top, NodeSpace.Mark.top) {
      space.know(ref, NodeSpace.Mark.top)
    }
    return space.node(ref)
  }

  var schemaRef: NodeRef {
    if ref.isNone { return .none }
    let node = self.node
    return space.reference(
      NodeRef(raw: node.load(fromByteOffset: rb_top_schema, as: UInt64.self)), in: node)
  }

  /// The stored schema's bytes; empty if there is none yet.
  var schema: UnsafeRawBufferPointer {
    let blob = schemaRef
    if blob.isNone { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let count = space.blob(blob, from: space.node(ref), count: 8).loadUnaligned(as: UInt64.self)
    let (whole, isTooLong) = count.addingReportingOverflow(8)
    let bytes = space.blob(blob, from: space.node(ref), count: isTooLong ? .max : whole)
    return UnsafeRawBufferPointer(rebasing: bytes[8...])
  }

  var tableCount: Int {
    ref.isNone ? 0 : Int(node.load(fromByteOffset: rb_top_tables, as: UInt32.self))
  }

  func tableRef(_ index: Int) -> NodeRef {
    guard index < tableCount else { return .none }
    return NodeRef(
      raw: space.node(ref).load(fromByteOffset: rb_top_refs + index * 8, as: UInt64.self))
  }

  /// A table; nil if there is none under this number.
  ///
  /// - Parameter last: The same at another version, if that is known.
  func table(_ index: Int, after last: Table? = nil) -> Table? {
    let ref = tableRef(index)
    if ref.isNone { return nil }
    return Table(
      space: space, node: ref, number: index, from: space.node(self.ref), last?.specs, last?.trees)
  }

  /// The rows of a table alone; nil if there is none under this number.
  func rows(_ index: Int) -> RowTree? {
    let ref = tableRef(index)
    if ref.isNone { return nil }
    return RowTree(space: space, ofTable: ref, number: index, from: space.node(self.ref))
  }
}

/// All tables during a write, opened as they are needed.
///
/// How a write goes: `table(_:)` or `addTable`, then `insert`, `openRow` and the setters of
/// `TableWriter`, `ListWriter` and `PairWriter` for small trees and indexes; at commit `settle`,
/// which hands back the root of the new version.
final class TreeWriter {
  let arena: NodeArena
  @exclusivity(unchecked) private(set) var base: Top
  /// Kept alive by the write that both belong to.
  unowned(unsafe) var recorder: ChangeSink? {
    didSet { for table in tables { table?.recorder = recorder } }
  }
  /// Is told when rows have moved although nothing was inserted or deleted.
  var rowsMoved: (() -> Void)? {
    didSet { for table in tables { table?.rowsMoved = rowsMoved } }
  }
  /// One for each table of the file, nil while it is not changed.
  @exclusivity(unchecked) private var tables: [TableWriter?]
  private var newSchema: [UInt8]?

  init(arena: NodeArena, base: Top) {
    self.arena = arena
    self.base = base
    tables = Array(repeating: nil, count: base.tableCount)
  }

  /// Goes on with the next write, which is based on what this one settled: what is known of tables
  /// is known still.
  ///
  /// - Returns: false if that cannot be; then this is of no more use.
  func goOn(at base: Top) -> Bool {
    guard newSchema == nil, base.tableCount == tables.count else { return false }
    self.base = base
    for (index, table) in tables.enumerated() where table?.goOn(at: base.tableRef(index)) == false {
      tables[index] = nil
    }
    return true
  }

  /// Whether a table has been opened.
  func isOpen(_ index: Int) -> Bool { index < tables.count && tables[index] != nil }

  var tableCount: Int { tables.count }

  var isChanged: Bool {
    newSchema != nil || tables.contains { $0?.isChanged == true }
  }

  /// A table to be changed; nil if there is none under this number.
  func table(_ index: Int) -> TableWriter? {
    guard index < tables.count else { return nil }
    if let open = tables[index] { return open }
    guard let committed = base.table(index) else { return nil }
    let writer = TableWriter(
      arena: arena, index: index, committed: committed, at: base.tableRef(index))
    writer.recorder = recorder
    writer.rowsMoved = rowsMoved
    tables[index] = writer
    return writer
  }

  /// A table as it is now, to be read.
  func reader(_ index: Int) -> Table? {
    guard index < tables.count else { return nil }
    return tables[index]?.reader ?? base.table(index)
  }

  func addTable(_ specs: [ColumnSpec]) -> TableWriter {
    let writer = TableWriter(arena: arena, index: tableCount, specs: specs)
    writer.recorder = recorder
    writer.rowsMoved = rowsMoved
    tables.append(writer)
    return writer
  }

  /// The stored schema as it is now.
  var schema: [UInt8] { newSchema ?? Array(base.schema) }

  func setSchema(_ bytes: [UInt8]) { newSchema = bytes }

  /// Writes all that is pending; returns the root of the new version, or the old one if nothing was
  /// changed.
  func settle(into sink: any NodeSink) -> NodeRef {
    guard isChanged || base.ref.isNone else { return base.ref }
    let settler = Settler(space: arena.space, sink: sink)
    var refs = (0..<tableCount).map { base.tableRef($0) }
    for (index, table) in tables.enumerated() {
      guard let table, table.isChanged else { continue }
      arena.discard(refs[index])
      refs[index] = table.settle(settler, into: sink)
    }
    var schema = base.schemaRef
    if let newSchema {
      arena.discard(schema)
      schema = write(newSchema, into: sink)
    }
    arena.discard(base.ref)
    let bytes = (rb_top_refs + refs.count * 8 + 15) & ~15
    let (ref, node) = sink.place(bytes: bytes)
    node.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    write(NodeKind.top, units: bytes >> 4, to: node)
    node.storeBytes(of: schema.raw, toByteOffset: rb_top_schema, as: UInt64.self)
    node.storeBytes(of: UInt32(refs.count), toByteOffset: rb_top_tables, as: UInt32.self)
    for (index, table) in refs.enumerated() {
      node.storeBytes(of: table.raw, toByteOffset: rb_top_refs + index * 8, as: UInt64.self)
    }
    arena.space.know(ref, NodeSpace.Mark.top)
    return ref
  }

  private func write(_ schema: [UInt8], into sink: any NodeSink) -> NodeRef {
    let bytes = NodeHeader.bytes(payload: 8 + schema.count)
    let (ref, node) = sink.place(bytes: bytes)
    node.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    write(NodeKind.blob, units: bytes >> 4, to: node)
    node.storeBytes(of: UInt64(schema.count), toByteOffset: rb_node_payload, as: UInt64.self)
    schema.withUnsafeBytes { source in
      if let start = source.baseAddress {
        (node + rb_node_payload + 8).copyMemory(from: start, byteCount: source.count)
      }
    }
    return ref
  }

  private func write(_ kind: UInt8, units: Int, to node: UnsafeMutableRawPointer) {
    node.storeBytes(
      of: NodeHeader(kind: kind, width: 0, count: 0, units: units, born: arena.version.number),
      as: NodeHeader.self)
  }
}
