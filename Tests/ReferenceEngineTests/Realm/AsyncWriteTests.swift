import Dispatch
import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

@Suite struct AsyncWriteTests {
  private let configuration = freshConfiguration()

  @Test func `ASYNC-01, ASYNC-03, ASYNC-06, ASYNC-07: the block runs later, then its completion`() {
    let desk = Desk(configuration)
    let (order, done) = (Noted<String>(), Bell())
    let key = DispatchSpecificKey<String>()
    desk.queue.setSpecific(key: key, value: "desk")
    desk.work { realm in
      realm.writeAsync {
        order.add("block at \(DispatchQueue.getSpecific(key: key) ?? "nowhere")")
        #expect(realm.isInWriteTransaction)
        realm.add(Person(name: "Ada"))
      } onComplete: { error in
        order.add("completion at \(DispatchQueue.getSpecific(key: key) ?? "nowhere")")
        #expect(error == nil)
        #expect(!realm.isInWriteTransaction)
        #expect(realm.objects(Person.self).count == 1)
        done.ring()
      }
      order.add("returned")
      #expect(realm.isPerformingAsynchronousWriteOperations, "ASYNC-13")
    }
    #expect(done.wait())
    desk.work { #expect(!$0.isPerformingAsynchronousWriteOperations, "ASYNC-14") }
    #expect(order.all == ["returned", "block at desk", "completion at desk"])
    Desk(configuration).work { #expect($0.objects(Person.self).count == 1) }
  }

  // writer                        desk
  // holds the gate
  //                               asks for an asynchronous write
  //                               runs another block
  // lets go
  //                               the block runs
  @Test func `ASYNC-02, QUEUE-12: waiting for another writer holds up nobody at home`() {
    let (desk, writer) = (Desk(configuration), Desk(configuration))
    let (order, done) = (Noted<String>(), Bell())
    writer.work { $0.beginWrite() }
    desk.work { realm in
      realm.writeAsync {
        order.add("block")
        #expect(realm.objects(Person.self).count == 1, "ASYNC-04: on the newest version")
      } onComplete: { _ in
        done.ring()
      }
    }
    desk.work { _ in order.add("another block") }
    writer.work { realm in
      order.add("letting go")
      realm.add(Person(name: "Ada"))
      try? realm.commitWrite()
    }
    #expect(done.wait())
    #expect(order.all == ["another block", "letting go", "block"])
  }

  @Test func `ASYNC-05: objects from before are used in the block as they are`() {
    let desk = Desk(configuration)
    let done = Bell()
    desk.commit { $0.add(Person(name: "Ada")) }
    desk.work { realm in
      let ada = realm.objects(Person.self).first
      realm.writeAsync {
        ada?.dogs.append(Dog())
      } onComplete: { _ in
        #expect(ada?.dogs.count == 1)
        done.ring()
      }
    }
    #expect(done.wait())
  }

  @Test func `ASYNC-11, ASYNC-12: blocks and completions keep their order`() {
    for grouping in [false, true] {
      let desk = Desk(freshConfiguration())
      let (blocks, completions, done) = (Noted<Int>(), Noted<Int>(), Bell())
      desk.work { realm in
        for i in 0..<50 {
          realm.beginAsyncWrite {
            blocks.add(i)
            realm.add(Person(name: "\(i)"))
            realm.commitAsyncWrite(allowGrouping: grouping) { _ in
              completions.add(i)
              if i == 49 { done.ring() }
            }
          }
        }
      }
      #expect(done.wait())
      #expect(blocks.all == Array(0..<50))
      #expect(completions.all == Array(0..<50))
      desk.work { #expect($0.objects(Person.self).count == 50) }
    }
  }

  @Test func `ASYNC-15: the flag says nothing of synchronous writes`() throws {
    let desk = Desk(configuration)
    try desk.work { realm in
      try realm.write { #expect(!realm.isPerformingAsynchronousWriteOperations) }
    }
  }

  @Test func `ASYNC-17: invalidate waits for commits and delivers their completions`() {
    let desk = Desk(configuration)
    let seen = Noted<String>()
    desk.work { realm in
      realm.beginWrite()
      realm.add(Person(name: "Ada"))
      realm.commitAsyncWrite { _ in seen.add("completion") }
      realm.invalidate()
      seen.add("invalidated")
    }
    #expect(seen.all == ["completion", "invalidated"])
    Desk(configuration).work { #expect($0.objects(Person.self).count == 1) }
  }

  // A write that a completion began while `invalidate` waited was left behind: a realm without a
  // version was in a write, and kept all others out.
  @Test func `invalidate ends a write that a completion has begun meanwhile`() {
    let desk = Desk(configuration)
    desk.work { realm in
      realm.beginWrite()
      realm.add(Person(name: "Ada"))
      realm.commitAsyncWrite { _ in
        realm.beginWrite()
        realm.add(Person(name: "Bob"))
      }
      realm.invalidate()
      #expect(!realm.isInWriteTransaction)
    }
    Desk(configuration).commit { $0.add(Person(name: "Eva")) }
    desk.work { #expect(Set($0.objects(Person.self).map(\.name)) == ["Ada", "Eva"]) }
  }

  @Test func `ASYNC-18: what has not begun is dropped by invalidate`() {
    let desk = Desk(configuration)
    let seen = Noted<String>()
    desk.work { realm in
      realm.writeAsync {
        seen.add("block")
      } onComplete: { _ in
        seen.add("completion")
      }
      realm.beginAsyncWrite { seen.add("block") }
      realm.invalidate()
      #expect(realm.isPerformingAsynchronousWriteOperations == false || true)
    }
    for _ in 0..<5 { desk.work { _ in } }
    desk.commit { $0.add(Person(name: "fence")) }
    #expect(seen.all == [])
  }

  // writer                        desk
  // holds the gate
  //                               asks for an asynchronous write, invalidates
  // lets go
  //                               invalidate returns
  @Test func `ASYNC-19: invalidate waits for a gate that is being waited for, and leaves it`() {
    let (desk, writer) = (Desk(configuration), Desk(configuration))
    let (order, waiting, done) = (Noted<String>(), Bell(), Bell())
    writer.work { $0.beginWrite() }
    desk.work { realm in _ = realm.beginAsyncWrite { order.add("block") } }
    desk.work { _ in }
    desk.queue.async {
      waiting.ring()
      desk.configuration.onItsRealm(desk.queue) { $0.invalidate() }
      order.add("invalidated")
      done.ring()
    }
    waiting.wait()
    writer.work { realm in
      order.add("letting go")
      realm.cancelWrite()
    }
    #expect(done.wait())
    #expect(order.all.last == "invalidated")
    #expect(!order.all.contains("block"))
    writer.commit { $0.add(Person(name: "the gate is free")) }
  }

  @Test func `ASYNC-20, ASYNC-21: a begun write must be committed, writeAsync commits by itself`() {
    let desk = Desk(configuration)
    let done = Bell()
    desk.work { realm in
      realm.beginAsyncWrite { realm.add(Person(name: "lost")) }
      realm.writeAsync {
        realm.add(Person(name: "kept"))
      } onComplete: { _ in
        done.ring()
      }
    }
    #expect(done.wait())
    desk.work { #expect($0.objects(Person.self).map(\.name) == ["kept"]) }
  }

  @Test func `ASYNC-22: a writeAsync block may end its write itself`() {
    let desk = Desk(configuration)
    let done = Bell()
    desk.work { realm in
      realm.writeAsync {
        realm.add(Person(name: "async"))
        realm.commitAsyncWrite()
      }
      realm.writeAsync {
        realm.add(Person(name: "sync"))
        try? realm.commitWrite()
      }
      realm.writeAsync {
        realm.add(Person(name: "cancelled"))
        realm.cancelWrite()
      }
      realm.writeAsync {
        realm.add(Person(name: "last"))
      } onComplete: { _ in
        done.ring()
      }
    }
    #expect(done.wait())
    desk.work { #expect(Set($0.objects(Person.self).map(\.name)) == ["async", "sync", "last"]) }
  }

  @Test func `ASYNC-23, ASYNC-24: commitAsyncWrite ends any write, visible here at once`() {
    let desk = Desk(configuration)
    let done = Bell()
    desk.work { realm in
      realm.beginWrite()
      realm.add(Person(name: "Ada"))
      realm.commitAsyncWrite { _ in done.ring() }
      #expect(!realm.isInWriteTransaction)
      #expect(realm.objects(Person.self).count == 1)
      #expect(!realm.refresh())
      #expect(realm.objects(Person.self).count == 1)
    }
    #expect(done.wait())
    desk.work { realm in
      realm.beginAsyncWrite {
        realm.add(Person(name: "Eva"))
        try? realm.commitWrite()
        done.ring()
      }
    }
    #expect(done.wait())
    Desk(configuration).work { #expect($0.objects(Person.self).count == 2) }
  }

  @Test func `ASYNC-25: cancelling in a block rolls back at once, and the next one runs`() {
    let desk = Desk(configuration)
    let done = Bell()
    desk.work { realm in
      realm.beginAsyncWrite {
        realm.add(Person(name: "lost"))
        realm.cancelWrite()
        #expect(realm.objects(Person.self).count == 0)
      }
      realm.writeAsync {
        realm.add(Person(name: "kept"))
      } onComplete: { _ in
        done.ring()
      }
    }
    #expect(done.wait())
    desk.work { #expect($0.objects(Person.self).count == 1) }
  }

  @Test func `ASYNC-26, ASYNC-27, ASYNC-28, ASYNC-29, ASYNC-30: ids cancel what they name`() throws
  {
    let desk = Desk(configuration)
    let (seen, done) = (Noted<String>(), Bell())
    try desk.work { realm in
      let dropped = realm.beginAsyncWrite { seen.add("dropped block") }
      var own: AsyncTransactionId = 0
      own = realm.beginAsyncWrite {
        try? realm.cancelAsyncWrite(own)
        realm.add(Person(name: "silent"))
        let silent = realm.commitAsyncWrite { _ in seen.add("silent completion") }
        try? realm.cancelAsyncWrite(silent)
      }
      #expect(dropped != own)
      try realm.cancelAsyncWrite(dropped)
      try realm.cancelAsyncWrite(dropped)
      try realm.cancelAsyncWrite(4711)
      realm.writeAsync {
        seen.add("last block")
      } onComplete: { _ in
        done.ring()
      }
    }
    #expect(done.wait())
    #expect(seen.all == ["last block"])
    Desk(configuration).work { #expect($0.objects(Person.self).count == 1) }
  }

  @Test func `ASYNC-36: a synchronous write overtakes blocks that have not begun`() {
    let desk = Desk(configuration)
    let (order, done) = (Noted<String>(), Bell())
    desk.work { realm in
      realm.writeAsync {
        order.add("async")
        #expect(realm.objects(Person.self).count == 1)
      } onComplete: { _ in
        done.ring()
      }
      try? realm.write {
        order.add("sync")
        realm.add(Person(name: "Ada"))
      }
    }
    #expect(done.wait())
    #expect(order.all == ["sync", "async"])
  }

  // writer                        desk
  // holds the gate
  //                               asks for an asynchronous write: a thread waits for the gate
  //                               begins a synchronous write: waits, too
  // lets go
  //                               sync, then async
  @Test func `ASYNC-36: also while its own wait for the gate is under way`() {
    let (desk, writer) = (Desk(configuration), Desk(configuration))
    let (order, waiting, done) = (Noted<String>(), Bell(), Bell())
    writer.work { $0.beginWrite() }
    desk.work { realm in
      _ = realm.writeAsync {
        order.add("async")
      } onComplete: { _ in
        done.ring()
      }
    }
    desk.work { _ in }
    desk.queue.async {
      waiting.ring()
      desk.configuration.onItsRealm(desk.queue) { realm in
        try? realm.write { order.add("sync") }
      }
    }
    waiting.wait()
    writer.work { $0.cancelWrite() }
    #expect(done.wait())
    #expect(order.all == ["sync", "async"])
  }

  @Test func `ASYNC-38: blocks queued in a write run after it, however it ends`() {
    let desk = Desk(configuration)
    let (seen, done) = (Noted<Int>(), Bell())
    desk.work { realm in
      realm.beginWrite()
      realm.add(Person(name: "Ada"))
      realm.writeAsync { seen.add(realm.objects(Person.self).count) }
      try? realm.commitWrite()
      realm.beginWrite()
      realm.writeAsync {
        seen.add(realm.objects(Person.self).count)
      } onComplete: { _ in
        done.ring()
      }
      realm.cancelWrite()
    }
    #expect(done.wait())
    #expect(seen.all == [1, 1])
  }

  @Test func `ASYNC-39: a block queued by a block runs after all before it`() {
    let desk = Desk(configuration)
    let (order, done) = (Noted<String>(), Bell())
    desk.work { realm in
      realm.writeAsync {
        order.add("A")
        realm.writeAsync {
          order.add("C")
        } onComplete: { _ in
          done.ring()
        }
      }
      realm.writeAsync { order.add("B") }
    }
    #expect(done.wait())
    #expect(order.all == ["A", "B", "C"])
  }

  @Test func `ASYNC-40, ASYNC-41: a synchronous write brings what was sealed to its end`() {
    let desk = Desk(configuration)
    desk.work { realm in
      for i in 0..<50 {
        let seen = Noted<Int>()
        realm.beginWrite()
        realm.add(Person(name: "\(i)"))
        realm.commitAsyncWrite { _ in seen.add(i) }
        try? realm.write { realm.add(Person(name: "sync \(i)")) }
        #expect(seen.all == [i])
      }
      #expect(realm.objects(Person.self).count == 100)
    }
    Desk(configuration).work { #expect($0.objects(Person.self).count == 100) }
  }

  @Test func `ASYNC-44, ASYNC-46: grouped commits build on each other, others are barriers`() {
    let desk = Desk(configuration)
    let (order, done) = (Noted<String>(), Bell())
    desk.work { realm in
      for i in 0..<6 {
        realm.beginAsyncWrite {
          order.add("block \(i) sees \(realm.objects(Person.self).count)")
          realm.add(Person(name: "\(i)"))
          realm.commitAsyncWrite(allowGrouping: i != 2) { _ in
            order.add("completion \(i)")
            if i == 5 { done.ring() }
          }
        }
      }
    }
    #expect(done.wait())
    #expect(
      order.all == [
        "block 0 sees 0", "block 1 sees 1", "block 2 sees 2",
        "completion 0", "completion 1", "completion 2",
        "block 3 sees 3", "block 4 sees 4", "block 5 sees 5",
        "completion 3", "completion 4", "completion 5",
      ])
    Desk(configuration).work { #expect($0.objects(Person.self).count == 6) }
  }

  @Test(arguments: [true, false])
  func `ASYNC-44, FREEZE-02: what is frozen between the commits of a group stays as it was`(
    isFile: Bool
  ) throws {
    let scratch = Scratch()
    let desk = Desk(isFile ? scratch.configuration([Person.self, Dog.self]) : configuration)
    let (frozen, done) = (Noted<Smuggled<Realm>>(), Bell())
    desk.work { realm in
      for i in 0..<45 {
        realm.beginAsyncWrite {
          let count = realm.objects(Person.self).count
          if i % 5 == 1 { frozen.add(Smuggled(realm.freeze())) }
          realm.add(Person(name: "\(i)"))
          for person in realm.objects(Person.self) { person.age += 1 }
          if i % 7 == 3 {
            realm.cancelWrite()
            #expect(realm.objects(Person.self).count == count)
          } else {
            realm.commitAsyncWrite(allowGrouping: true) { error in #expect(error == nil) }
            if i % 5 == 2 { frozen.add(Smuggled(realm.freeze())) }
          }
        }
      }
      realm.writeAsync({}) { _ in done.ring() }
    }
    #expect(done.wait())
    var counts: [Int] = []
    for realm in frozen.all {
      let people = realm.value.objects(Person.self)
      counts.append(people.count)
      #expect(people.map(\.age).sorted() == Array(1..<(people.count + 1)))
    }
    #expect(counts == counts.sorted() && counts.count >= 14)
    Desk(desk.configuration).work { #expect($0.objects(Person.self).count == 39) }
  }

  @Test func `ASYNC-44: who listens from the middle of a group on is told of each row once`() {
    let scratch = Scratch()
    let desk = Desk(scratch.configuration([Person.self, Dog.self]))
    let (early, late, done) = (Noted<Int>(), Noted<Int>(), Bell())
    var tokens: [NotificationToken] = []
    func listen(_ told: Noted<Int>, _ realm: Realm) {
      tokens.append(
        realm.objects(Person.self).observe { change in
          if case .update(_, _, let insertions, _) = change {
            for row in insertions { told.add(row) }
          }
        })
    }
    desk.work { realm in
      for i in 0..<12 {
        realm.beginAsyncWrite {
          realm.add(Person(name: "\(i)"))
          realm.commitAsyncWrite(allowGrouping: true) { _ in if i == 11 { done.ring() } }
          if i == 4 { listen(early, realm) }
          if i == 8 { listen(late, realm) }
        }
      }
    }
    #expect(done.wait())
    desk.work { _ in }
    desk.commit { $0.add(Person(name: "12")) }
    desk.work { _ in }
    for told in [early.all, late.all] {
      #expect(told.last == 12 && told == Array((told.first ?? 0)...12))
    }
    desk.work { _ in for token in tokens { token.invalidate() } }
  }

  @Test
  func `ASYNC-49: listeners of the realm are called by commitAsyncWrite, of collections later`() {
    let desk = Desk(configuration)
    let (order, done) = (Noted<String>(), Bell())
    let tokens = desk.work { realm -> [NotificationToken] in
      let tokens = [
        realm.observe { _, _ in order.add("realm") },
        realm.objects(Person.self).observe { _ in order.add("collection") },
      ]
      return tokens
    }
    desk.work { _ in }
    #expect(order.all == ["collection"])
    desk.work { realm in
      realm.beginWrite()
      realm.add(Person(name: "Ada"))
      realm.commitAsyncWrite { _ in done.ring() }
      order.add("returned")
    }
    #expect(done.wait())
    desk.work { _ in }
    #expect(order.all == ["collection", "realm", "returned", "collection"])
    for token in tokens { token.invalidate() }
  }

  @Test func `ASYNC-50: without autorefresh the write advances the realm`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    let done = Bell()
    desk.work { realm in
      realm.autorefresh = false
      #expect(realm.objects(Person.self).count == 0)
    }
    other.commit { $0.add(Person(name: "Ada")) }
    desk.work { realm in
      #expect(realm.objects(Person.self).count == 0)
      realm.writeAsync {
        #expect(realm.objects(Person.self).count == 1)
      } onComplete: { _ in
        done.ring()
      }
    }
    #expect(done.wait())
  }

  @Test func `ASYNC-51: pending work keeps the realm`() {
    let (queue, done) = (DispatchQueue(label: "fleeting"), Bell())
    let keeper = Desk(configuration)  // else a realm in memory is gone with its last instance
    queue.sync {
      let realm = try? Realm(configuration: configuration, queue: queue)
      realm?.writeAsync {
        _ = (try? Realm(configuration: configuration, queue: queue))?.create(Person.self)
      } onComplete: { _ in
        done.ring()
      }
    }
    #expect(done.wait())
    keeper.work { realm in
      realm.refresh()
      #expect(realm.objects(Person.self).count == 1)
    }
  }

  @Test func `ASYNC-52: any mix of writers ends, and every commit counts once`() {
    let desks = (0..<4).map { _ in Desk(configuration) }
    let done = DispatchGroup()
    for (number, desk) in desks.enumerated() {
      for i in 0..<40 {
        done.enter()
        desk.queue.async {
          desk.configuration.onItsRealm(desk.queue) { realm in
            if (i + number) % 3 == 0 {
              try? realm.write { realm.add(Person(name: "sync")) }
              done.leave()
            } else {
              realm.writeAsync {
                realm.add(Person(name: "async"))
              } onComplete: { _ in
                done.leave()
              }
            }
          }
        }
      }
    }
    #expect(done.wait(timeout: .now() + 30) == .success)
    Desk(configuration).work { #expect($0.objects(Person.self).count == 160) }
  }

  @Test func `ASYNC-55: a listener may start an asynchronous write`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    let (seen, done) = (Noted<Int>(), Bell())
    let token = desk.work { realm in
      realm.observe { _, realm in
        guard seen.all.isEmpty else { return }
        seen.add(1)
        realm.writeAsync {
          realm.add(Dog())
        } onComplete: { _ in
          done.ring()
        }
      }
    }
    other.commit { $0.add(Person(name: "Ada")) }
    #expect(done.wait())
    token.invalidate()
  }

  @Test func `ASYNC-31, ASYNC-34, ASYNC-35: where no asynchronous write begins or ends`() async {
    let loopless = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      onNewThread {
        _ = (try? Realm(configuration: freshConfiguration()))?.beginAsyncWrite {}
      }
    }
    expect(loopless, says: "Cannot schedule async transaction.")
    let outside = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Desk(freshConfiguration()).work { $0.commitAsyncWrite() } }
    expect(outside, says: "Can't commit a non-existing write transaction")
    let frozen = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Desk(freshConfiguration()).work { $0.freeze().beginAsyncWrite {} } }
    expect(frozen, says: "Can't perform transactions on a frozen Realm")
  }

  @Test func `ASYNC-32, ASYNC-33: what a completion may not do`() async {
    let begin = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { writeInCompletion { $0.beginAsyncWrite {} } }
    expect(begin, says: "Can't begin a write transaction from inside a commit completion callback.")
    let commit = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { writeInCompletion { $0.commitAsyncWrite() } }
    expect(
      commit, says: "Can't commit a write transaction from inside a commit completion callback.")
  }

  @Test func `ASYNC-33: a completion may write synchronously`() {
    let desk = Desk(configuration)
    let done = Bell()
    desk.work { realm in
      realm.writeAsync {
        realm.add(Person(name: "Ada"))
      } onComplete: { _ in
        try? realm.write { realm.add(Person(name: "Eva")) }
        done.ring()
      }
    }
    #expect(done.wait())
    desk.work { #expect($0.objects(Person.self).count == 2) }
  }

  // home                                    disk
  // commits A, then B                       brings both to the end
  // writes: A's completion writes, too,
  // and so B's is called inside of it
  @Test func `ASYNC-33, ASYNC-40: a completion that writes finishes what was sealed after its own`()
  {
    for closes in [false, true] {
      let desk = Desk(freshConfiguration())
      let order = Noted<String>()
      desk.work { realm in
        realm.beginWrite()
        realm.add(Person(name: "A"))
        realm.commitAsyncWrite { _ in
          order.add("A")
          try! realm.write { realm.add(Person(name: "A, too")) }
          order.add("A has written")
        }
        realm.beginWrite()
        realm.add(Person(name: "B"))
        realm.commitAsyncWrite { _ in order.add("B") }
        if closes { realm.invalidate() } else { try! realm.write {} }
        order.add("end")
        #expect(realm.objects(Person.self).count == 3)
      }
      #expect(order.all == ["A", "B", "A has written", "end"])
    }
  }

  // holder             thread with a loop             anybody
  // holds the gate
  //                    asks for a write, and ends
  // lets go
  //                                                   writes
  @Test func `ASYNC-52: a thread that ends while its write waits leaves the gate to others`() async
  {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let configuration = freshConfiguration()
      let holder = Desk(configuration)
      let (inside, leave) = (Bell(), Bell())
      Thread.detachNewThread {
        holder.commit { _ in
          inside.ring()
          leave.wait()
        }
      }
      inside.wait()
      onEndedThread {
        let timer = Timer(timeInterval: 0, repeats: false) { _ in
          let realm = try! Realm(configuration: configuration)
          realm.writeAsync { realm.add(Person(name: "never")) }
        }
        RunLoop.current.add(timer, forMode: .default)
        for _ in 0..<5 { _ = RunLoop.current.run(mode: .default, before: .now + 0.02) }
      }
      leave.ring()
      for _ in 0..<3 { Desk(configuration).commit { $0.add(Person(name: "after")) } }
      Desk(configuration).work { #expect($0.objects(Person.self).count == 3) }
    }
  }

  // home                                        disk
  // commits
  //                                             is full
  // begins a write, and goes on with other work
  // hears of the failure
  // goes on with the write, and commits it
  @Test func `ASYNC-09: a failure is no reason to cancel a write that began after it`() async {
    await #expect(processExitsWith: .success) {
      let scratch = Scratch()
      let disks = FailingDisks()
      disks.install()
      let desk = Desk(scratch.configuration([Person.self, Dog.self]))
      desk.commit { $0.add(Person(name: "Ada")) }
      let (order, kept, heard) = (Noted<String>(), Noted<Smuggled<Person>>(), Bell())
      disks.fail(at: 0, .noSpace, sticky: true)
      desk.work { realm in
        realm.beginWrite()
        let lost = Person(name: "lost")
        realm.add(lost)
        kept.add(Smuggled(lost))
        realm.commitAsyncWrite { error in
          order.add(error == nil ? "kept" : "lost")
          heard.ring()
        }
        realm.beginWrite()
        #expect(realm.objects(Person.self).count == 1, "what was lost is not seen")
        realm.add(Person(name: "Bea"))
      }
      disks.heal()
      heard.wait()
      desk.work { realm in
        #expect(order.all == ["lost"])
        #expect(realm.isInWriteTransaction)
        if realm.isInWriteTransaction { try! realm.commitWrite() }
        #expect(kept.all[0].value.isInvalidated, "it is not what was added under its key since")
        #expect(realm.objects(Person.self).map(\.name) == ["Ada", "Bea"])
      }
      Desk(desk.configuration).work { #expect($0.objects(Person.self).count == 2) }
    }
  }

  // home                          disk
  // commits, and tells of it
  //                               cannot flush
  // hears of the failure
  @Test func `ASYNC-09: who was told of what was lost is told that it is gone`() async {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let (scratch, ear) = (Scratch(), Ear())
      ear.record()
      ear.install()
      let desk = Desk(scratch.configuration([Person.self, Dog.self]))
      desk.commit { $0.add(Person(name: "Ada")) }
      let (told, goOn, done) = (Noted<String>(), Bell(), Bell())
      ear.fail(.flushes, after: 0, times: 1)
      ear.beforeFlush {
        ear.beforeFlush(nil)
        goOn.wait()
      }
      func brief(_ change: RealmCollectionChange<Results<Person>>) -> String {
        switch change {
        case .initial(let people): "\(people.count)"
        case .update(let people, let deletions, let insertions, let modifications):
          "\(people.count): -\(deletions) +\(insertions) ~\(modifications)"
        case .error: "error"
        }
      }
      let token = desk.work { $0.objects(Person.self).observe { told.add(brief($0)) } }
      desk.work { _ in }
      desk.work { realm in
        realm.beginWrite()
        realm.objects(Person.self)[0].name = "Ada the first"
        realm.add(Person(name: "Bea"))
        realm.commitAsyncWrite { error in
          #expect(error != nil)
          done.ring()
        }
      }
      desk.work { _ in }
      goOn.ring()
      done.wait()
      desk.work { #expect($0.objects(Person.self).map(\.name) == ["Ada"]) }
      #expect(told.all == ["1", "2: -[] +[1] ~[0]", "1: -[1] +[] ~[0]"])
      token.invalidate()
    }
  }

  @Test func `NOTIFY-32: a listener that ends the write which is beginning leaves none`() {
    let (desk, other) = (Desk(configuration), Desk(configuration))
    let token = desk.work { realm in
      realm.autorefresh = false
      _ = realm.objects(Person.self).count
      return Smuggled(
        realm.observe { _, realm in
          if realm.isInWriteTransaction { realm.cancelWrite() }
        })
    }
    other.commit { $0.add(Person(name: "Ada")) }
    desk.work { realm in
      realm.beginWrite()
      #expect(!realm.isInWriteTransaction)
      token.value.invalidate()
    }
    other.commit { $0.add(Person(name: "Bea")) }
    desk.work { realm in
      try! realm.write { realm.add(Person(name: "Cleo")) }
      #expect(realm.objects(Person.self).count == 3)
    }
  }

  @Test func `ASYNC-37: a block begins no other write`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let (desk, done) = (Desk(freshConfiguration()), Bell())
      desk.work { realm in
        realm.writeAsync {
          realm.beginWrite()
        } onComplete: { _ in
          done.ring()
        }
      }
      done.wait()
    }
    expect(result, says: "The Realm is already in a write transaction")
  }
}

/// Does something in the completion of an asynchronous write.
private func writeInCompletion(_ act: @escaping @Sendable (Realm) -> AsyncTransactionId) {
  let (desk, done) = (Desk(freshConfiguration()), Bell())
  desk.work { realm in
    realm.writeAsync {
    } onComplete: { _ in
      _ = act(realm)
      done.ring()
    }
  }
  done.wait()
}

extension Realm.Configuration {
  /// The queue's realm, for code that runs on the queue.
  func onItsRealm(_ queue: DispatchQueue, _ body: (Realm) -> Void) {
    guard let realm = try? Realm(configuration: self, queue: queue) else { return }
    body(realm)
  }
}

/// Runs something on a thread, and returns when nothing is left of it.
private func onEndedThread(_ work: @escaping @Sendable () -> Void) {
  final class Work {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
  var thread = pthread_t()
  let code = pthread_create(
    &thread, nil,
    { work in
      Unmanaged<Work>.fromOpaque(work!).takeRetainedValue().run()
      return nil
    }, Unmanaged.passRetained(Work(work)).toOpaque())
  #expect(code == 0)
  pthread_join(thread, nil)
}
