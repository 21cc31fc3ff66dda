extension Rules.Commit {
  static let copyOnWrite: [Rule] = [
    commit09, commit10, commit11, commit12, commit13, commit14,
  ]

  static let commit09 = Rule(
    "COMMIT-09", .documented,
    "Writes MUST be copy-on-write: nodes reachable from a version that may still be read "
      + "(or is the durable one) are never overwritten.",
    source: "S0/S1/S3 (copy the relevant part; links to unmodified objects keep pointing at the "
      + "originals).",
    broken: "in-place update of leaf",
    untested:
      "no probe yet; the experiment would be: WB page/extent hash of all nodes reachable from "
      + "pinned version before == after many commits; BB: READ-15, FREEZE-02")

  static let commit10 = Rule(
    "COMMIT-10", .documented,
    "Unchanged parts MUST be shared between versions: a small change to a large realm "
      + "writes O(change · depth), not O(size).",
    source: "S0/S1/S3 diagram step 2.",
    broken: "full copy per commit",
    untested:
      "no probe yet; the experiment would be: BB: bytes written / file growth per commit, 1e5 "
      + "objects, change 1: bounded by a small multiple of node size")

  static let commit11 = Rule(
    "COMMIT-11", .documented,
    "Nodes no longer reachable from any needed version MUST be discarded, i.e. their space "
      + "reused.",
    source: "S0/S1/S3 diagram step 3 (\"discards old nodes no longer connected to the tree\").",
    broken: "append-only file",
    untested:
      "no probe yet; the experiment would be: no readers; 10 000 updates of the same object: "
      + "file size reaches a plateau")

  static let commit12 = Rule(
    "COMMIT-12", .documented,
    "The realm MUST keep a pointer to its single latest version; opening follows it.",
    source: "S0/S1/S3 Internal Structure.",
    broken: "opener picks the wrong slot after an odd number of commits",
    untested: "no probe yet; the experiment would be: WRITE-32, REFRESH-01. WB: two-slot header")

  static let commit13 = Rule(
    "COMMIT-13", .documented,
    "Writing to or branching from an older version MUST be impossible through the API.",
    source: "S0/S1/S3 Git (\"cannot write to a previous version\").",
    broken: "frozen or old realm forks",
    untested: "no probe yet; the experiment would be: realm on old version begins a write: it is "
      + "moved to head first (WRITE-07); frozen realm cannot write (FREEZE-12)")

  static let commit14 = Rule(
    "COMMIT-14", .documented,
    "Data MUST be read in place (no up-front load): opening a large file is O(1) in data "
      + "size, and reading one object touches little.",
    source: "S0/S1/S3 (zero-copy, memory mapping).",
    broken: "full deserialisation at open",
    untested: "no probe yet; the experiment would be: benchmark open time and RSS for 10 MB vs 1 GB"
  )
}
