import Dispatch
import Foundation
import Testing

@testable import ReferenceEngine

@Suite struct `The way of a flush` {
  private let configuration = freshConfiguration()

  // home                             the flush's thread
  // commits
  //                                  flushes, waits for the home
  // commits, waits for that
  //                                  (cannot)
  @Test
  func `ASYNC-40, ASYNC-41: a home that commits on and on waits for no thread that waits for it`() {
    let desk = Desk(configuration)
    let (order, done) = (Noted<String>(), Bell())
    DispatchQueue.global().async {
      desk.work { realm in
        for round in 0..<20 {
          realm.beginWrite()
          realm.add(Person(name: "\(round)"))
          realm.commitAsyncWrite { error in order.add("\(round) \(error == nil)") }
        }
        try? realm.write { realm.add(Person(name: "the last")) }
        order.add("end")
      }
      done.ring()
    }
    #expect(done.wait())
    #expect(order.all == (0..<20).map { "\($0) true" } + ["end"])
    Desk(configuration).work { #expect($0.objects(Person.self).count == 21) }
  }

  @Test func `QUEUE-12: what else is due at a queue comes between two groups`() {
    let desk = Desk(configuration)
    let (order, done) = (Noted<String>(), Bell())
    desk.work { realm in
      for number in 0..<60 {
        realm.beginAsyncWrite {
          if number == 5 { desk.queue.async { order.add("another block") } }
          realm.add(Person(name: "\(number)"))
          order.add("block")
          realm.commitAsyncWrite(allowGrouping: true) { _ in
            order.add("completion")
            if number == 59 { done.ring() }
          }
        }
      }
    }
    #expect(done.wait())
    let group = Array(repeating: "block", count: 20)
    let told = Array(repeating: "completion", count: 20)
    #expect(
      order.all.filter { $0 != "another block" } == group + told + group + told + group + told)
    #expect(order.all[20] == "another block")
  }

  @Test func `ASYNC-06: homes that are busy keep no thread from the others'`() {
    let desks = (0..<12).map { _ in Desk(freshConfiguration()) }
    let done = (0..<12).map { _ in Bell() }
    let (commit, ended) = (Bell(), Noted<Int>())
    for (number, desk) in desks.enumerated() {
      desk.work { realm in
        realm.writeAsync {
          realm.add(Person(name: "Ada"))
          // The queue stands still from the end of this block on.
          if number < 11 { desk.queue.suspend() }
          commit.ring()
        } onComplete: { _ in
          ended.add(number)
          done[number].ring()
        }
      }
      #expect(commit.wait())
    }
    #expect(done[11].wait())
    #expect(ended.all == [11])
    for number in 0..<11 {
      desks[number].queue.resume()
      #expect(done[number].wait())
    }
  }

  @Test func `ASYNC-51: a home that closes its realm in a block is not waited for`() {
    let desk = Desk(configuration)
    let (order, done) = (Noted<String>(), Bell())
    desk.work { realm in
      let here = Smuggled(realm)
      for number in 0..<45 {
        realm.beginAsyncWrite {
          realm.add(Person(name: "\(number)"))
          realm.commitAsyncWrite(allowGrouping: true) { _ in
            order.add("completion")
            if number == 19 {
              desk.queue.async {
                here.value.invalidate()
                order.add("closed")
                done.ring()
              }
            }
          }
        }
      }
    }
    #expect(done.wait())
    // The group that has begun meanwhile is completed before the realm is closed; the rest never
    // begins.
    #expect(order.all.last == "closed")
    let count = Desk(configuration).work { $0.objects(Person.self).count }
    #expect(count == order.all.count - 1)
    #expect(count == 20 || count == 40)
  }
}
