import EngineUnderTest
import Foundation
import Harness

extension Rules.Notify {
  static let objects: [Rule] = [
    notify16, notify17,
  ]

  static let notify16 = Rule(
    "NOTIFY-16", .documented,
    "Object observers MUST be called for modification with the list of changed properties, "
      + "and `.deleted` once when the object is deleted; no initial callback.",
    source: "S4 Register an Object Change Listener.",
    broken: "initial callback for objects; deleted missed or repeated",
    probes: [
      Programs.tellingOfObjects.probe,
      Probe("an object observer hears of changes and of the end, once") { stage in
        let realm = try stage.stocked()
        let account = realm.account(1)
        var events: [String] = []
        let token = account.observe { change in
          switch change {
          case .change(_, let properties):
            events.append(
              properties.map { "\($0.name)=\($0.newValue ?? "nil")" }.sorted().joined(
                separator: " "))
          case .deleted: events.append("deleted")
          case .error: events.append("error")
          }
        }
        try stage.settle(realm)
        stage.equal(events, [], "calls before any change")
        try realm.write {
          account.balance = 7
          account.note = "x"
        }
        try stage.spin(until: { events.count == 1 }, "the change")
        try realm.write { realm.delete(account) }
        try stage.spin(until: { events.count == 2 }, "the end")
        try realm.write { realm.account(2).balance = 7 }
        try stage.settle(realm)
        try realm.write { realm.add(Account(id: 1)) }
        try stage.settle(realm)
        stage.equal(events, ["balance=7 note=x", "deleted"], "the calls")
        token.invalidate()
      },
      Probe("a change over links backwards names the property that they are") { stage in
        let realm = try stage.stocked()
        var events: [String] = []
        let token = realm.person("Ann").dogs[0].observe(keyPaths: ["owners.age"]) { change in
          if case .change(_, let properties) = change {
            events.append(properties.map(\.name).joined(separator: " "))
          }
        }
        try stage.settle(realm)
        try realm.write { realm.person("Ann").age += 1 }
        try stage.spin(until: { !events.isEmpty }, "the change")
        stage.equal(events, ["owners"], "the changed properties")
        token.invalidate()
      },
      Probe("an object that goes before its listener has come to its queue") { stage in
        let realm = try stage.stocked()
        let account = realm.account(1)
        let queue = DispatchQueue(label: "listener")
        let told = Latch("the end")
        var events: [String] = []
        queue.suspend()
        let token = account.observe(on: queue) { change in
          if case .deleted = change { events.append("deleted") } else { events.append("change") }
          told.open()
        }
        try realm.write { realm.delete(account) }
        queue.resume()
        try stage.wait(for: told)
        queue.sync {}
        stage.equal(events, ["deleted"], "the calls")
        token.invalidate()
      },
    ] + [Probe.joinedChanges, Probe.projectedPaths, Probe.changesTold, Probe.renamedProperties]
      + ShownNews.views + [ShownNews.paths])

  static let notify17 = Rule(
    "NOTIFY-17", .documented,
    "`PropertyChange.newValue` MUST be the new value (nil for collections); `oldValue` is "
      + "nil for changes made by the observing thread itself and for collections, else the old "
      + "value.",
    source: "S4 code uses `newValue!`; RS/Object.swift:626-654.",
    broken: "oldValue == newValue",
    probes: [
      Probe("new values always, old values of foreign changes") { stage in
        let realm = try stage.stocked()
        var events: [String] = []
        let token = realm.account(1).observe { change in
          if case .change(_, let properties) = change {
            for property in properties {
              let (old, new) = (property.oldValue, property.newValue)
              events.append(
                "\(property.name) \(old.map { "\($0)" } ?? "nil") \(new.map { "\($0)" } ?? "nil")")
            }
          }
        }
        try stage.settle(realm)
        try realm.write { realm.account(1).balance = 7 }
        try stage.spin(until: { events.count == 1 }, "the own change")
        try stage.foreign { $0.account(1).balance = 8 }
        try stage.spin(until: { events.count == 2 }, "the foreign change")
        stage.equal(events, ["balance nil 7", "balance 7 8"], "names, old and new values")
        token.invalidate()
      },
      Probe("a collection has neither an old nor a new value") { stage in
        let realm = try stage.stocked()
        var events: [String] = []
        let token = realm.person("Ann").observe { (change: ObjectChange<Person>) in
          if case .change(_, let properties) = change {
            events += properties.map { "\($0.name) \($0.oldValue == nil) \($0.newValue == nil)" }
          }
        }
        try stage.settle(realm)
        try stage.foreign { $0.person("Ann").dogs.append(Dog(name: "new")) }
        try stage.spin(until: { !events.isEmpty }, "the call")
        stage.equal(events, ["dogs true true"], "the name, and whether old and new value are nil")
        token.invalidate()
      },
      Probe("on a queue the old value is there, whoever wrote") { stage in
        let realm = try stage.stocked()
        let queue = DispatchQueue(label: "serial")
        var events: [String] = []
        let told = Latch("the call")
        let token = realm.account(1).observe(on: queue) { (change: ObjectChange<Account>) in
          if case .change(_, let properties) = change {
            events += properties.map {
              "\($0.name) \($0.oldValue ?? "nil") \($0.newValue ?? "nil")"
            }
            told.open()
          }
        }
        stage.on(queue) {}
        try stage.settle(realm)
        try realm.write { realm.account(1).balance = 7 }
        try stage.spin(until: { told.isOpen }, "the call")
        stage.equal(stage.on(queue) { events }, ["balance 100 7"], "the name, old and new value")
        token.invalidate()
      },
    ] + Probe.oldValues + [Probe.oldAndNewOfEachKind])
}
