extension Rules.Notify {
  static let collections: [Rule] = [
    notify04, notify05, notify06, notify07, notify08, notify09, notify10, notify13, notify20,
    notify37, notify38, notify39, notify40,
  ]

  static let notify04 = Rule(
    "NOTIFY-04", .documented,
    "Collection observers MUST get exactly one `.initial` first, with the collection "
      + "usable, before any `.update`.",
    source: "S4 code (`.initial` case); RS/RealmCollection.swift:135.",
    broken: "update first; two initials",
    untested: "no probe yet; the experiment would be: order")

  static let notify05 = Rule(
    "NOTIFY-05", .implementation,
    "Changes committed before the initial callback ran MUST be folded into `.initial` and "
      + "not be reported again.",
    source: "(impl) OC/RLMCollection.mm:459-469; AsyncTests.mm:949.",
    broken: "duplicate update (row inserted twice in a UI)",
    untested: "no probe yet; the experiment would be: observe, commit before spinning: `.initial` "
      + "count includes it, no update for it")

  static let notify06 = Rule(
    "NOTIFY-06", .documented,
    "A collection observer MUST be called after a write which inserted, deleted or modified "
      + "members, with the index sets.",
    source: "S4 Register a Collection Change Listener.",
    broken: "one of three kinds missed; wrong arrays",
    untested: "no probe yet; the experiment would be: each alone and combined")

  static let notify07 = Rule(
    "NOTIFY-07", .documented,
    "In `.update`, `deletions` MUST be indices into the previous state, `insertions` "
      + "indices into the new state, and `modifications` indices into the previous state; all "
      + "ascending; together they MUST transform the previous into the new state.",
    source: "S4 Register a Collection Change Listener (+code); RS/RealmCollection.swift:150-160; "
      + "CORE collection_notifications.hpp:70-86 (`modifications` = old, `modifications_new` "
      + "exists but is not exposed).",
    broken: "modifications in new indices; insertions in old indices; unsorted",
    untested: "no probe yet; the experiment would be: model comparison - mark `old[m]` for m in "
      + "modifications, remove `deletions` from the highest down, insert at `insertions` "
      + "ascending taking values from the new collection, refresh marked elements: result == "
      + "live collection, over thousands of random transactions incl. sorted and filtered "
      + "results …")

  static let notify08 = Rule(
    "NOTIFY-08", .documented,
    "A self-assignment (same value) of a managed property MUST count as a modification.",
    source: "S4 collection and object sections.",
    broken: "value-diffing",
    untested: "no probe yet; the experiment would be: `obj.name = obj.name`")

  static let notify09 = Rule(
    "NOTIFY-09", .documented,
    "Commits which do not touch the observed collection's objects (or linked objects within "
      + "key-path reach) MUST NOT trigger a collection callback.",
    source: "S4 (called \"after each write transaction which ...\"); TOS/results.cpp:1572-1600.",
    broken: "fires on every commit",
    untested:
      "no probe yet; the experiment would be: unrelated table; fence by later relevant change")

  static let notify10 = Rule(
    "NOTIFY-10", .documented,
    "Changes that leave a non-matching object non-matching MUST NOT trigger a filtered "
      + "Results observer; becoming matching = insertion, ceasing to match = deletion.",
    source: "S4; TOS/results.cpp:1562-1735.",
    broken: "modification reported instead of insertion/deletion",
    untested: "no probe yet; the experiment would be: filtered observer; each transition with fence"
  )

  static let notify13 = Rule(
    "NOTIFY-13", .implementation,
    "For collections, insertions and deletions MUST notify whatever the key paths.",
    source: "(impl) RST:803-1060.",
    broken: "insert or delete filtered out",
    untested: "no probe yet; the experiment would be: observe with a key path, insert and delete")

  static let notify20 = Rule(
    "NOTIFY-20", .implementation,
    "Several transactions MAY be coalesced into one callback; the change set MUST then be "
      + "the net difference between delivered states; no net change, no callback.",
    source: "RS/Realm.swift:829; TOS/results.cpp:1643-1709.",
    broken: "lost or doubled changes",
    untested: "no probe yet; the experiment would be: model check of NOTIFY-07 with the observer's "
      + "loop blocked during k commits")

  static let notify37 = Rule(
    "NOTIFY-37", .implementation,
    "A callback MUST receive the same collection instance it was registered on when on the "
      + "same thread.",
    source: "(impl) AsyncTests.mm:395; RealmCollectionImpl.swift:105.",
    broken: "new wrapper each time",
    untested: "no probe yet; the experiment would be: identity of reference collections; == of "
      + "Results")

  static let notify38 = Rule(
    "NOTIFY-38", .implementation,
    "Adding or removing observers inside callbacks MUST be safe; an observer added there "
      + "gets its own initial on a later cycle.",
    source: "(impl) TOS/results.cpp:346-482; AsyncTests.mm:633-724.",
    broken: "iterator invalidation; skipped neighbours",
    untested: "no probe yet; the experiment would be: add/remove self and others in callbacks")

  static let notify39 = Rule(
    "NOTIFY-39", .implementation,
    "Deleting an observed list's parent MUST deliver one last update reporting the deletion "
      + "of all elements; an already empty list delivers a callback too (without index "
      + "changes).",
    source: "(impl) TOS/list.cpp:176-233.",
    broken: "no callback; crash on dead parent",
    untested:
      "no probe yet; the experiment would be: observe list; delete parent; with content and "
      + "empty")

  static let notify40 = Rule(
    "NOTIFY-40", .documented,
    "The `.error` case is never delivered by local engines (deprecated); code that switches "
      + "over it must compile.",
    source: "S4 code.",
    broken: "missing case",
    untested: "no probe yet; the experiment would be: compile")
}
