#if Mutants
@_private(sourceFile: "RememberedRows.swift") import ReferenceEngine

extension RememberedRows {
  @_dynamicReplacement(for:note(_:_:))
  private func wrongNote(_ log: ChangeLog, _ rows: [RememberedRow]) {
    guard breaks(.recordsAreReadToTheirEnd) else { return note(log, rows) }
    guard let change = log.changes.first(where: { $0.deletes }) else { return }
    for row in rows
    where log.version > row.since && row.table == Int(change.table)
      && change.keys.contains(row.key)
    {
      row.markGone(in: log.version)
    }
  }
}
#endif
