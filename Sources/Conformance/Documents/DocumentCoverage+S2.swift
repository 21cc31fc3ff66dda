extension DocumentCoverage {
  /// S2: what each sentence of “Swift Concurrency - Swift SDK” binds, or why it binds nothing.
  static let s2 = DocumentCoverage(
    "S2", title: "Swift Concurrency - Swift SDK",
    """
    ## Swift Concurrency - Swift SDK
    1 6db9411324c26628 -background
    2 595e7636c4057bd8 -pointer
    3 139410b111ab5978 -history
    4 fe53afef747ac565 ACTOR-04
    5 a24829cc14364628 -history
    6 0e488c55a68d20ac -pointer
    ## Realm Concurrency Caveats
    7 a953cb432bea450f -lead
    ## Suspending Execution with Await
    8 5248b1fa7701644e -background
    9 d795ad95b4b45d83 -background
    10 b77928ad1f0b2b11 -background
    11 09df81f24adbabf1 CONFINE-20
    12 640f10c84f9fea6a CONFINE-01 CONFINE-02 CONFINE-03 CONFINE-04 CONFINE-05
    13 06b0902195ae4c84 CONFINE-01 CONFINE-02 CONFINE-03 CONFINE-17 QUEUE-04 REF-22
    14 2c0c413710819096 -lead
    15 7b4bfecec8e8e465 -motive
    16 2b0e959b909b0d6e FREEZE-04 REF-02
    17 184bd27e2ba6f5db ACTOR-36
    18 0db7c6f1c15d863a CONFINE-05 CONFINE-20
    19 5cac98a9beee858b ACTOR-37
    20 a744597e255c49fc CONFINE-05 CONFINE-20
    ## Perform Background Writes
    21 0f5e408468c470e0 -motive
    22 03f523514b62063c -lead
    23 97253afce76a8ecc ASYNC-01 ASYNC-06
    24 8a19949c005e0c0e ACTOR-12
    25 78b682b7ede4e8bf ASYNC-05 ACTOR-13
    26 a77c0b4a3a65e0d2 ASYNC-02 QUEUE-12 READ-14
    27 5af0b10a1a560286 ASYNC-03
    28 763542d79426d71a ASYNC-05
    29 8c9f348d116c53fa ASYNC-41 ASYNC-53
    30 511766a72db563bc ASYNC-53
    31 c04e4a9b51671d0c ACTOR-12
    32 71fcda2108825064 ACTOR-14
    33 6b6a08343d7beb5c -motive
    34 e66b1c7c18a37354 -pointer
    ## Tasks and TaskGroups
    35 ce2946546b0aeb6b -background
    36 ce52d870c0ee7364 -background
    37 1e0fcd4d98d23d32 -background
    38 f4244c1060c6542e -background
    39 c26d9002e82c9162 ACTOR-18
    40 5f9546d54ba78231 -motive
    41 37c82eb46a1e83f0 CONFINE-20
    42 51cf48257782b31c CONFINE-20
    43 57ab50f6c1232573 ACTOR-36
    44 fefbc4623c4919a3 -advice
    ## Actor Isolation
    45 e6501f77d6d618f8 -history
    46 2b15f70ba9521584 -history
    47 0e488c55a68d20ac -pointer
    48 77368f094cdc6b26 -motive
    49 8312365c3775837f ACTOR-37
    50 0ea66baa2dc673e7 -history
    51 718d7103f4c850b3 -history
    52 d2d3ca25ef3a0f33 -history
    53 1593799459048aa0 -background
    54 def33a3c78c99741 -background
    55 f45ec5d6a5f15ea5 ACTOR-36
    56 d47731629c1b7630 -history
    ## Errors Related to Concurrency Code
    57 1a9a8249d8127683 CONFINE-01 CONFINE-20 ACTOR-09 ACTOR-37
    58 dcf457795113dc04 -lead
    59 a76aba92c125c4df -advice
    60 0e488c55a68d20ac -pointer
    61 07458e8f587cf3b0 -advice
    62 3df5dc0c1cafb055 ACTOR-36
    63 7ae26f119dabf176 -background
    64 a85bd140e78b0da2 ASYNC-01 ASYNC-05
    65 bd2ec53ec05fcab8 ASYNC-05
    66 1b077f2b15729af8 ASYNC-02
    67 6de85bb93d11a4fc ACTOR-39
    68 60c8df6bd35b2cd3 ACTOR-39
    69 530b54da2bb39641 ACTOR-12
    70 e3c0bc8fea5e1e9f REF-02
    71 21d13e68f252f744 -advice
    ## Sendable, Non-Sendable and Thread-Confined Types
    72 007ceb0658a3bba4 SEND-01
    73 ac57ea0c47cf0593 SEND-02
    74 b626c0402192387d SEND-03
    75 9080b1b3ac421b3b SEND-04
    76 f71f7722cc1597d4 SEND-03
    77 7ff771c782daadcd SEND-04 SEND-06
    78 86d6d2f31378045a SEND-05
    """)
}
