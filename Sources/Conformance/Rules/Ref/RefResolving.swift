extension Rules.Ref {
  static let resolving: [Rule] = [
    ref12, ref13, ref14, ref15, ref16, ref17, ref18, ref19, ref20, ref21, ref22,
  ]

  static let ref12 = Rule(
    "REF-12", .implementation,
    "After resolving, the target realm MUST NOT be older than the source version of the "
      + "reference; a target that is newer stays where it is.",
    source: "RS/ThreadSafeReference.swift:208; CORE/OS/thread_safe_reference.cpp:54-78.",
    broken: "resolves against the old version (nil for a new object)",
    untested: "no probe yet; the experiment would be: target on old version (autorefresh off, "
      + "loopless); create ref from newer; resolve: target advanced to >= source. And the "
      + "reverse")

  static let ref13 = Rule(
    "REF-13", .implementation,
    "A target realm without a read transaction MAY start reading at the reference's source "
      + "version instead of the latest.",
    source: "(impl) thread_safe_reference.cpp:58-72; TOS 195-249.",
    broken: "resolves at some version older than the source",
    untested: "no probe yet; the experiment would be: permitted set {source version .. latest}; "
      + "afterwards `refresh()` goes to latest")

  static let ref14 = Rule(
    "REF-14", .documented,
    "An unresolved, living reference pins the source version; resolving or releasing it "
      + "MUST unpin.",
    source: "S0/S1/S4 Important notes.",
    broken: "pin leaks after resolve; never pins Results (resolve fails after source version gone)",
    untested:
      "no probe yet; the experiment would be: GROW-02 style file growth / version count while "
      + "the reference lives, drop after")

  static let ref15 = Rule(
    "REF-15", .implementation,
    "A reference created in a write to an object made in that write MUST resolve after the "
      + "commit, and to nil after a cancel.",
    source: "(impl) TOS 834, 966.",
    broken: "nil always",
    untested: "no probe yet; the experiment would be: both")

  static let ref16 = Rule(
    "REF-16", .implementation,
    "A reference to query Results created inside a write that has already made changes MUST "
      + "fail.",
    source: "(impl).",
    broken: "resolves to wrong or empty results silently",
    untested: "no probe yet; the experiment would be: child; accept either")

  static let ref17 = Rule(
    "REF-17", .implementation,
    "Making a reference MUST NOT disturb the source object: it stays usable.",
    source: "RS/ThreadSafeReference.swift:104.",
    broken: "source invalidated by handing over",
    untested: "no probe yet; the experiment would be: create a reference, keep reading and writing "
      + "the source")

  static let ref18 = Rule(
    "REF-18", .implementation,
    "Resolving on the source thread itself MUST work.",
    source: "(impl) TOS 271.",
    broken: "refused or duplicate accessor of another instance",
    untested:
      "no probe yet; the experiment would be: create and resolve on one thread; same realm; "
      + "isSameObject")

  static let ref19 = Rule(
    "REF-19", .implementation,
    "References into read-only realms MUST work.",
    source: "(impl) TOS 314-343; issue #5475.",
    broken: "reference needs a write lock",
    untested: "no probe yet; the experiment would be: read-only realm on two threads, object and "
      + "Results references")

  static let ref20 = Rule(
    "REF-20", .implementation,
    "A reference to a frozen object is allowed.",
    source: "RS/ThreadSafeReference.swift:50.",
    broken: "dies",
    untested: "no probe yet; the experiment would be: freeze, make reference, resolve on another "
      + "thread: gives an object of the target realm or the frozen one; no death")

  static let ref21 = Rule(
    "REF-21", .implementation,
    "Resolving with a realm of another file MUST NOT return an object of that other file.",
    source:
      "(impl) unchecked in real Realm (key reinterpretation possible). Recommend: die or nil.",
    broken: "object with the same key of the other file returned",
    untested:
      "no probe yet; the experiment would be: two files with equal keys, resolve in the wrong "
      + "one")

  static let ref22 = Rule(
    "REF-22", .documented,
    "`resolve` called from the wrong thread for the target realm MUST die.",
    source: "S0 rule 3",
    broken: "resolves on the wrong thread",
    untested: "no probe yet; the experiment would be: child: realm of thread A, resolve called on B"
  )
}
