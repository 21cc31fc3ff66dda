@testable import ReferenceEngine

extension LossProgram {
  func change(_ realm: Realm) {
    for _ in 0...dice.below(3) { changeOnce(realm) }
  }

  private func changeOnce(_ realm: Realm) {
    let id = 7 + dice.below(3)
    let old = realm.object(ofType: Keyed.self, forPrimaryKey: id)
    let dogs = realm.objects(Dog.self)
    let estateID = 1 + dice.below(2)
    let estate = realm.object(ofType: Estate.self, forPrimaryKey: estateID)
    func someDog() -> Dog? { dogs.isEmpty ? nil : dogs[dice.below(dogs.count)] }
    switch dice.below(29) {
    case 22, 23, 24, 25, 26, 27, 28: changeTicket(realm)

    case 0:
      log.append("  delete \(id)")
      if let old { realm.delete(old) }
    case 1, 2, 3:
      if let old { realm.delete(old) }
      realm.create(Keyed.self, value: ["id": id, "name": name("\(id)")])
    case 4, 5: realm.create(Dog.self, value: ["name": name("dogs")])
    case 6:
      log.append("  delete a dog")
      if let dog = dogs.last { realm.delete(dog) }
    case 7:
      let key = ["a", "b"][dice.below(2)]
      if let street = realm.object(ofType: Street.self, forPrimaryKey: key) { realm.delete(street) }
      realm.create(Street.self, value: ["id": key, "name": name("street \(key)")])
    case 8:
      log.append("  delete a street")
      if let one = realm.objects(Street.self).first { realm.delete(one) }
    case 9, 10:
      log.append("  estate \(estateID) anew")
      if let estate { realm.delete(estate) }
      let made = realm.create(Estate.self, value: ["id": estateID, "name": name("estate")])
      if isLucky(2) { made.main = Corner(value: [name("main")]) }
      if isLucky(2) { made.corners.append(Corner(value: [name("corner")])) }
      if let dog = someDog() {
        made.guests.insert(dog)
        made.places["x"] = dog
      }
    case 11:
      log.append("  delete estate \(estateID)")
      if let estate { realm.delete(estate) }
    case 12: estate?.main = Corner(value: [name("main")])
    case 13: estate?.corners.append(Corner(value: [name("corner")]))
    case 14:
      log.append("  remove corner")
      if let estate, !estate.corners.isEmpty { estate.corners.remove(at: 0) }
    case 15:
      log.append("  guest")
      if let dog = someDog() { estate?.guests.insert(dog) }
    case 16:
      log.append("  place")
      if let dog = someDog() { estate?.places[["x", "y"][dice.below(2)]] = dog }
    case 17:
      log.append("  list")
      if let dog = someDog() { estate?.dogs.append(dog) }
      if let old { estate?.keys.insert(old) }
    case 18:
      log.append("  older")
      someDog()?.age += 1
      estate?.size += 1
    case 19:
      if isLucky(4) {
        log.append("  delete all")
        realm.deleteAll()
      }
    case 20:
      log.append("  remove")
      estate?.guests.removeAll()
      estate?.places.removeAll()
      if let estate, !estate.dogs.isEmpty { estate.dogs.remove(at: 0) }
    default:
      log.append("  set corner")
      if let estate, !estate.corners.isEmpty {
        estate.corners[0] = Corner(value: [name("corner")])
      }
    }
  }

  private func changeTicket(_ realm: Realm) {
    let (key, other) = (tickets[dice.below(2)], todos[dice.below(2)])
    let ticket = realm.object(ofType: Ticket.self, forPrimaryKey: key)
    let todo = realm.object(ofType: Todo.self, forPrimaryKey: other)
    let all: [Object] =
      Array(realm.objects(Dog.self)) + Array(realm.objects(Keyed.self))
      + Array(realm.objects(Todo.self)) + Array(realm.objects(Ticket.self))
    func some() -> AnyRealmValue {
      all.isEmpty || isLucky(4) ? .int(dice.below(3)) : .object(all[dice.below(all.count)])
    }
    log.append("  ticket")
    switch dice.below(11) {
    case 0, 1:
      if let todo { realm.delete(todo) }
      realm.create(Todo.self, value: ["_id": other, "name": name("todo")])
    case 2: if let todo { realm.delete(todo) }
    case 3, 4:
      let (any, anys) = (some(), [some(), some()])
      if let ticket { realm.delete(ticket) }
      let made = realm.create(Ticket.self, value: ["id": key, "name": name("ticket")])
      func there(_ value: AnyRealmValue) -> Bool {
        if case .object(let object) = value { !object.isInvalidated } else { true }
      }
      if there(any) { made.any = any }
      made.anys.append(objectsIn: anys.filter(there))
    case 5: if let ticket { realm.delete(ticket) }
    case 6: ticket?.any = isLucky(2) ? some() : .fromArray([some(), some()])
    case 7: ticket?.anys.insert(some(), at: 0)
    case 8:
      ticket?.kinds.insert(some())
      ticket?.named[["x", "y"][dice.below(2)]] = some()
    case 9: if let ticket, !ticket.anys.isEmpty { ticket.anys.remove(at: 0) }
    default: ticket?.rooms[["x", "y"][dice.below(2)]] = Corner(value: [name("room")])
    }
  }
}
