extension DocumentCoverage {
  /// S4: what each sentence of “Use Realm with Actors - Swift SDK” binds, or why it binds nothing.
  static let s4 = DocumentCoverage(
    "S4", title: "Use Realm with Actors - Swift SDK",
    """
    ## Use Realm with Actors - Swift SDK
    1 2e34a2662c613d04 -history
    2 d9b7816aa8a91710 -motive
    3 126b78b1dc416e8f -lead
    4 fb1acfc82dcc9a39 ACTOR-06
    5 b0ca8fb950e25b45 ACTOR-10 ACTOR-26
    6 fe39de33de3b70f4 -advice
    7 4ab86f8054fb0a08 -motive
    8 1069c0c08cdf094d -advice
    9 c5de16ec59ef5b4f -advice
    10 856d492defa552d2 -pointer
    ## Prerequisites
    11 797e9271ddb19db4 -lead
    12 acf4c95e941e0048 -history
    13 82a64e7b4e237a61 -history
    14 ea63aeaa8843268c SEND-08
    15 c74084d7bfe4b690 SEND-08
    16 e850c8b7fad01144 SEND-08
    ## About the Examples on This Page
    17 9c0a677f6f5742ee -example
    18 50deecd2f86ccbf2 ACTOR-40
    ## Open an Actor-Isolated Realm
    19 901349e06bc306dd ACTOR-11
    20 fe89bba6a5288321 ACTOR-01
    21 7fd223323615ad3e ACTOR-03 ACTOR-04
    22 f857de349632d36d ACTOR-01 ACTOR-02 ACTOR-10 ACTOR-40 CONFINE-12 QUEUE-07
    23 3be18a343a53c1db ACTOR-03
    24 6afd5dc9851c6857 ACTOR-03 ACTOR-40 LIFE-02
    25 56c54ca49b3d2f63 -pointer
    ## Define a Custom Realm Actor
    26 0319469cd047909f ACTOR-04 ACTOR-05
    27 0a10d4547d065cd0 ACTOR-06
    28 2d26ba90d7215377 ACTOR-05 ACTOR-35 ACTOR-40 LIFE-08
    29 2136fc7c179e80ac ACTOR-04
    30 a814973998133c9c ACTOR-04 ACTOR-08 ACTOR-40
    ## Use a Realm Actor Synchronously in an Isolated Function
    31 7259a5570567d19e ACTOR-06
    32 4f3457beb5e1fe47 ACTOR-06 ACTOR-25 ACTOR-40
    ## Use a Realm Actor in Async Functions
    33 a49fd8dfc8788faf ACTOR-07
    34 fb77c6af94d568aa ACTOR-07 ACTOR-40
    ## Write to an Actor-Isolated Realm
    35 60665bf9d16a7011 ACTOR-12
    36 7cbf3ddc185bf173 ACTOR-12 ACTOR-13 ACTOR-20
    37 822929ebfaf1f9f9 ACTOR-14 READ-14
    38 48fb428ead7ffd1c -example
    39 93ff1159d72b39d4 ACTOR-12 ACTOR-40
    40 1034082226a87296 -example
    41 fb77c6af94d568aa ACTOR-07 ACTOR-40
    42 706d05e2869fe240 ACTOR-12
    43 217adf339f214c6d ACTOR-14
    44 b5831a2bb8ad6278 ACTOR-12 ACTOR-14
    45 003b2352c59293bd -advice
    46 7b2f14912caf116f ACTOR-21
    ## Pass Realm Data Across the Actor Boundary
    47 4f18c63aff29e59d ACTOR-09 SEND-04
    48 7fc113c5a9bf8a02 -lead
    49 1d1252ae8558748e ACTOR-26
    50 7d4e6a5932b46668 ACTOR-28
    ## Pass a ThreadSafeReference
    51 20c07dd2395c342c ACTOR-26
    52 1906825e21ed6a00 -example
    53 f649ba5cc6e3ec38 ACTOR-26
    54 31650a9c9cfc1440 ACTOR-26 ACTOR-40
    55 77dcffc48d9ca179 ACTOR-26 REF-10 REF-11
    56 583d9d71c5be7979 ACTOR-26
    57 9a7d174390bce0d8 ACTOR-26 ACTOR-27 ACTOR-40
    58 4aa443df98e3ae5d REF-03
    59 8c6fae901d81114f REF-14 GROW-02 GROW-03
    60 dcbce87c1f84fc24 -advice
    61 01874a68a95178b6 ACTOR-28 REF-32
    62 d4818d3b03f10c20 -pointer
    ## Pass a Sendable Type
    63 8eca52950e4c5eb4 ACTOR-28
    64 685ab0d65b877c63 -lead
    65 33dfcfcfc36c46d1 ACTOR-28
    66 f9f1b968598b9940 ACTOR-28 REF-32
    67 2094bd26e479b675 ACTOR-28
    ## Pass Sendable Realm Types and Primitive Values
    68 1a4f0b72f223af1e ACTOR-28
    69 ae4f5a0f3d4f845d -pointer
    70 00d55a42ce010826 ACTOR-28 ACTOR-40
    ## Pass a Primary Key and Query for the Object on Another Actor
    71 c4d77eba92ec9930 ACTOR-28 REF-32
    72 750a70a39cedc4f3 ACTOR-15 ACTOR-28 ACTOR-40 WRITE-29
    ## Create a Sendable Representation of Your Object
    73 6109f447a792385c ACTOR-28
    74 3b48fdf015c53e10 -example
    75 69f121f00cde2fa9 ACTOR-28 ACTOR-40
    76 b87d7ab140a34ee6 -example
    77 14309b69b450f25a ACTOR-28 ACTOR-40
    ## Observe Notifications on a Different Actor
    78 ec101439b9fe7287 ACTOR-29
    79 b9efd896aa92ac16 ACTOR-29
    80 33ad171a93b1c9b6 ACTOR-29 NOTIFY-21 NOTIFY-36
    81 62e943a6a6f11fde NOTIFY-18 NOTIFY-34 ACTOR-38 WRITE-02
    82 47bd68a69d2c2ee7 NOTIFY-19
    83 914bf1970841bfa2 NOTIFY-26
    84 5ed614d3bad998dd NOTIFY-23
    85 5318f5068fae697b ACTOR-22
    86 dc878dcf5b9fcbf6 ACTOR-22 REFRESH-03 REFRESH-16
    ## Observation Limitations
    87 a0e63bb9fe339d58 NOTIFY-27 NOTIFY-28 NOTIFY-29
    88 44688ad564afdd1d NOTIFY-28
    89 319096d639ecf9d0 NOTIFY-27 LIFE-10 WRITE-26
    90 bb85b0b695b3c345 NOTIFY-29 ACTOR-09 ACTOR-34
    ## Register a Collection Change Listener
    91 77bd9fe25a0ff475 NOTIFY-06 NOTIFY-09
    92 d4bf6611c98bdea1 NOTIFY-06 NOTIFY-10
    93 562dcce0fd6181a7 NOTIFY-06 NOTIFY-10
    94 f38fa84fbf785395 NOTIFY-06
    95 d695d84c09b1e672 NOTIFY-08
    96 c7c3388c356cd59f NOTIFY-07
    97 23265331d4a120b0 NOTIFY-07
    98 789864965b6b3992 ACTOR-29
    99 ef5958dd20f6d1cb NOTIFY-06 NOTIFY-07
    100 6757b9714a5c4001 NOTIFY-07
    101 67ad8c6e2fb7a9c6 NOTIFY-04 NOTIFY-40 ACTOR-29 ACTOR-31 ACTOR-40
    ## Register an Object Change Listener
    102 109ec217d985728f NOTIFY-16
    103 d8ce8854b15508db NOTIFY-16
    104 c82c85e31d6a8485 NOTIFY-16
    105 d695d84c09b1e672 NOTIFY-08
    106 d7edfc0c44a22f41 ACTOR-30
    107 87e7dcf0bbaec751 ACTOR-30
    108 f13e44b02c7f067b NOTIFY-11
    109 f88b818ab4418dd6 NOTIFY-11
    110 b7650a7a84995e74 NOTIFY-12 NOTIFY-14 ACTOR-33
    111 ca8a7067a20ed347 NOTIFY-12
    112 f496b14a505687a6 NOTIFY-16 NOTIFY-17 ACTOR-15 ACTOR-29 ACTOR-40 WRITE-29
    """)
}
