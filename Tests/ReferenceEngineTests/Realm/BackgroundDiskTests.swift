import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

private actor Keeper {
  func fill(_ configuration: Realm.Configuration, _ witness: Witness) async throws -> Int {
    let realm = try await Realm.open(configuration: configuration)
    try await realm.asyncWrite { _ = realm.create(Person.self, value: ["name": "Ada"]) }
    let executor = Executor(unownedExecutor)
    #expect(executor.isCurrent)
    witness.watch { executor.isCurrent }
    try await realm.asyncWrite {
      for _ in 0..<1024 {
        realm.create(Person.self, value: ["name": String(repeating: "n", count: 1024)])
      }
    }
    return realm.objects(Person.self).count
  }
}

@Suite struct `The disk of an asynchronous write` {
  @Test func `ACTOR-14: asyncWrite of a megabyte writes nothing on the actor`() async {
    await #expect(processExitsWith: .success) {
      let (scratch, witness) = (Scratch(), Witness())
      witness.install()
      let count = try await Keeper().fill(scratch.configuration([Person.self, Dog.self]), witness)
      #expect(count == 1025)
      #expect(witness.counts.there == 0)
      #expect(witness.counts.elsewhere > 1 << 20)
    }
  }

  @Test func `ASYNC-02: writeAsync of a megabyte writes nothing on its queue`() async {
    await #expect(processExitsWith: .success) {
      let (scratch, witness) = (Scratch(), Witness())
      witness.install()
      let desk = Desk(scratch.configuration([Person.self, Dog.self]))
      desk.commit { $0.add(Person(name: "Ada")) }
      let key = DispatchSpecificKey<Bool>()
      desk.queue.setSpecific(key: key, value: true)
      witness.watch { DispatchQueue.getSpecific(key: key) == true }
      let done = Bell()
      desk.work { realm in
        realm.writeAsync {
          for _ in 0..<1024 { realm.add(Person(name: String(repeating: "n", count: 1024))) }
        } onComplete: { error in
          #expect(error == nil)
          #expect(realm.objects(Person.self).count == 1025)
          done.ring()
        }
      }
      #expect(done.wait())
      #expect(witness.counts.there == 0)
      #expect(witness.counts.elsewhere > 1 << 20)
    }
  }

  /// A heap of which nothing is known yet takes a look at the whole file.
  @Test(arguments: [false, true])
  func `ASYNC-02: the first write of a file looks through it elsewhere`(isOvertaken: Bool) async {
    await #expect(processExitsWith: .success) { [isOvertaken] in
      let (scratch, witness) = (Scratch(), Witness())
      let before = Desk(scratch.configuration([Person.self, Dog.self]))
      let name = String(repeating: "n", count: 8192)
      before.commit { realm in for _ in 0..<100 { realm.add(Person(name: name)) } }
      before.leave()
      witness.install()
      let desk = Desk(scratch.configuration([Person.self, Dog.self]))
      let key = DispatchSpecificKey<Bool>()
      desk.queue.setSpecific(key: key, value: true)
      desk.work { #expect($0.objects(Person.self).count == 100) }
      let done = Bell()
      desk.work { realm in
        witness.watch { DispatchQueue.getSpecific(key: key) == true }
        realm.writeAsync {
          realm.add(Person(name: "Bea"))
        } onComplete: { error in
          #expect(error == nil)
          done.ring()
        }
        // Whoever cannot wait looks by himself.
        if isOvertaken { try! realm.write { realm.add(Person(name: "Cleo")) } }
      }
      #expect(done.wait())
      if !isOvertaken { #expect(witness.counts.there == 0) }
      #expect(witness.counts.elsewhere > 0)
      desk.work { #expect($0.objects(Person.self).count == (isOvertaken ? 102 : 101)) }
    }
  }

  // home                          disk
  // seals, and reads at once
  //                               has written nothing yet
  // writes it by itself
  @Test func `What is sealed can be read at once, before anybody has written it`() async {
    await #expect(processExitsWith: .success) {
      let (scratch, witness) = (Scratch(), Witness())
      witness.install()
      let desk = Desk(scratch.configuration([Person.self, Dog.self]))
      desk.commit { $0.add(Person(name: "Ada")) }
      let done = Bell()
      desk.work { realm in
        realm.beginAsyncWrite {
          for round in 1...3 {
            for _ in 0..<200 { realm.add(Person(name: String(repeating: "n", count: 1024))) }
            realm.commitAsyncWrite(allowGrouping: true)
            let frozen = realm.freeze()
            #expect(realm.objects(Person.self).count == 1 + 200 * round)
            #expect(frozen.objects(Person.self).count == 1 + 200 * round)
            if round < 3 { realm.beginWrite() }
          }
          realm.beginWrite()
          realm.commitAsyncWrite { error in
            #expect(error == nil)
            done.ring()
          }
        }
      }
      #expect(done.wait())
      Desk(desk.configuration).work { #expect($0.objects(Person.self).count == 601) }
    }
  }

  /// The home does not see the failure when it seals.
  @Test func `WRITE-27: an asynchronous write that finds no room is told so, and nothing is lost`()
    async
  {
    await #expect(processExitsWith: .success) {
      let scratch = Scratch()
      let disks = FailingDisks()
      disks.install()
      let desk = Desk(scratch.configuration([Person.self, Dog.self]))
      desk.commit { $0.add(Person(name: "Ada")) }
      for reads in [false, true] {
        let done = Bell()
        disks.fail(at: 0, .noSpace, sticky: true)
        desk.work { realm in
          realm.beginAsyncWrite {
            for _ in 0..<1024 { realm.add(Person(name: String(repeating: "n", count: 1024))) }
            realm.commitAsyncWrite { error in
              #expect(error != nil)
              #expect(realm.objects(Person.self).count == 1)
              done.ring()
            }
            if reads { #expect(realm.objects(Person.self).count == 1, "nothing to be seen of it") }
          }
        }
        #expect(done.wait())
        disks.heal()
        desk.commit { _ in }
      }
      for _ in 0..<2 {
        let done = Bell()
        desk.work { realm in
          realm.writeAsync {
            for _ in 0..<1024 { realm.add(Person(name: String(repeating: "n", count: 1024))) }
          } onComplete: { error in
            #expect(error == nil)
            done.ring()
          }
        }
        #expect(done.wait())
      }
      Desk(desk.configuration).work { #expect($0.objects(Person.self).count == 2049) }
    }
  }

  enum Middle: String, Codable, CaseIterable { case small, large, frozen, handedOver }

  // home                                    disk
  // commits five writes of a group          is full
  // in the middle of it, one that is large, or that others are to see
  // hears of five failures
  @Test(arguments: Middle.allCases)
  func
    `ASYNC-09, WRITE-27: a disk that is full in the middle of a group loses all of it`(
      middle: Middle
    ) async
  {
    await #expect(processExitsWith: .success) { [middle] in
      let scratch = Scratch()
      let disks = FailingDisks()
      disks.install()
      let desk = Desk(scratch.configuration([Person.self, Dog.self]))
      desk.commit { $0.add(Person(name: "Ada")) }
      for isFull in [true, false] {
        let (order, done) = (Noted<String>(), Bell())
        for disk in disks.all {
          if isFull { disk.fail(at: 0, .noSpace, sticky: true) } else { disk.heal() }
        }
        desk.work { realm in
          for i in 0..<5 {
            realm.beginAsyncWrite {
              realm.add(Person(name: "\(i)"))
              if i == 2, middle == .large {
                for _ in 0..<512 {
                  realm.add(Dog(value: [String(repeating: "n", count: 1024), 1]))
                }
              }
              realm.commitAsyncWrite(allowGrouping: i < 4) { error in
                order.add("\(i) \(error == nil)")
                if i == 4 { done.ring() }
              }
              if i != 2 { return }
              switch middle {
              case .frozen:
                let count = realm.freeze().objects(Person.self).count
                #expect(count == (isFull ? 1 : 4))
              case .handedOver: _ = ThreadSafeReference(to: realm.objects(Person.self))
              default: break
              }
            }
          }
        }
        #expect(done.wait())
        #expect(order.all == (0..<5).map { "\($0) \(!isFull)" })
        desk.work { #expect($0.objects(Person.self).count == (isFull ? 1 : 6)) }
      }
      desk.commit { $0.add(Person(name: "Bea")) }
      desk.leave()
      Desk(desk.configuration).work { #expect($0.objects(Person.self).count == 7) }
    }
  }
}
