extension Rules.Grow {
  static let pins: [Rule] = [
    grow01, grow02, grow03, grow04, grow05, grow06, grow07, grow08, grow09, grow10,
  ]

  static let grow01 = Rule(
    "GROW-01", .documented,
    "Keeping a frozen realm, object or collection MUST keep its version's data; "
      + "consequently the file grows while many commits happen.",
    source: "S0/S1/S3 caching note.",
    broken: "no pin: wrong data (FREEZE-02 fails) or copy instead of pin (FREEZE-05 fails)",
    untested: "no probe yet; the experiment would be: freeze once, overwrite a 1 MB blob k times; "
      + "with the frozen view held the growth is >= the pinned version's data; without it, "
      + "plateau. Report the curve")

  static let grow02 = Rule(
    "GROW-02", .documented,
    "The same holds for live realms that stay on an old version (autorefresh off, blocked "
      + "or loopless threads, unresolved Results references).",
    source: "S0/S1/S4 TSR note (\"source realm remains pinned\"); RS/Realm.swift:993.",
    broken: "old live snapshots not pinned (READ-15 fails)",
    untested: "no probe yet; the experiment would be: each kind of holder; measure growth")

  static let grow03 = Rule(
    "GROW-03", .documented,
    "When the last holder of a version is gone its space MUST become reusable: growth stops "
      + "at the next commits.",
    source: "S0/S1/S3 Internal Structure step 3; TSR note (\"until the reference gets "
      + "deallocated\").",
    broken: "pin leak",
    untested: "no probe yet; the experiment would be: pin, grow, release, continue: plateau")

  static let grow04 = Rule(
    "GROW-04", .implementation,
    "Growth MUST come from pinned data, not from the number of commits alone: pinning one "
      + "version costs about its own data plus changed nodes (since core 13, versions between "
      + "two pins are reclaimed).",
    source: "(impl) CHANGELOG 10.35.0.",
    broken: "everything newer than the oldest pin retained",
    untested:
      "no probe yet; the experiment would be: pin v1; 10 000 small commits; growth bounded by "
      + "a constant multiple of the data, not linear in commits")

  static let grow05 = Rule(
    "GROW-05", .documented,
    "Unmanaged copies and plain values MUST pin nothing.",
    source: "S0/S1/S3 note (\"consider copying what you need out\").",
    broken: "copy pins",
    untested: "no probe yet; the experiment would be: copy, drop realm references, grow test")

  static let grow06 = Rule(
    "GROW-06", .documented,
    "Many frozen views of one version MUST cost one pin only.",
    source: "FREEZE-19; S0 (\"caching *too many*\").",
    broken: "one pin or copy per view",
    untested: "no probe yet; the experiment would be: 10^5 frozen objects of one version vs. one: "
      + "file size equal")

  static let grow07 = Rule(
    "GROW-07", .documented,
    "`maximumNumberOfActiveVersions`, if set, MUST make beginning a write fail when the "
      + "number of active versions exceeds it.",
    source: "RS doc; S0 note (file size).",
    broken: "limit ignored; counted in commits rather than live versions",
    untested: "no probe yet; the experiment would be: child with limit 3")

  static let grow08 = Rule(
    "GROW-08", .implementation,
    "After releasing versions, writing under the limit MUST work again.",
    source: "(impl) versions counted live since 10.42.",
    broken: "counter never decreases",
    untested: "no probe yet; the experiment would be: note the count is the one stored at the last "
      + "commit")

  static let grow09 = Rule(
    "GROW-09", .documented,
    "Bulk space MUST be returned or reusable after deletes; the file need not shrink at "
      + "once but must not grow on re-insertion of as much.",
    source: "S0/S1/S3 step 3.",
    broken: "freed space lost",
    untested: "no probe yet; the experiment would be: delete all, re-insert, compare size")

  static let grow10 = Rule(
    "GROW-10", .documented,
    "A reader thread that refreshes regularly MUST NOT make the file grow.",
    source: "S0/S1/S3 Refreshing + note.",
    broken: "refresh leaks the old version",
    untested: "no probe yet; the experiment would be: reader loop with refresh, 10 000 commits: "
      + "plateau")
}
