extension Rules.Write {
  static let failing: [Rule] = [
    write24, write27,
  ]

  static let write24 = Rule(
    "WRITE-24", .documented,
    "If a process dies inside a write, other processes MUST be able to write afterwards and "
      + "MUST see none of its uncommitted changes.",
    source: "S0/S1/S3 Internal Structure (failure partway never corrupts); "
      + "OCT/InterprocessTests.m:372, 388; test_shared.cpp:1594",
    broken: "stale lock file blocks forever; torn data visible",
    untested: "no probe yet; the experiment would be: child `_exit`/SIGKILL inside a write (many "
      + "random points); parent with the file already open, and parent opening afresh, both "
      + "write")

  static let write27 = Rule(
    "WRITE-27", .documented,
    "I/O failure at commit MUST be thrown from `write`/`commitWrite`, leave the file at the "
      + "previous version, and leave the realm usable.",
    source: "S0/S1/S3 Internal Structure; RS/Realm.swift:325-327",
    broken: "success reported; corrupt file",
    untested:
      "no probe yet; the experiment would be: `setrlimit(RLIMIT_FSIZE)` or a full tmpfs in a "
      + "child; big write THROWS (code outOfDiskSpace 14 or fail 1); data unchanged; after "
      + "lifting the limit a small write works (Real: the accessor may need a reopen; accept "
      + "either, record)")
}
