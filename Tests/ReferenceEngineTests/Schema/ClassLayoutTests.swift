import Foundation
import Testing

@testable import ReferenceEngine

struct ClassLayoutTests {
  @Test func `a class's properties are found in declaration order with their types`() {
    let layout = ClassLayout.of(Person.self)
    #expect(layout.name == "Person")
    #expect(layout.fields.map(\.property.name) == ["name", "age", "email", "dogs", "best"])
    #expect(
      layout.fields.map(\.property.typeWords) == [
        "string", "int", "string?", "array<Dog>", "<Dog>",
      ])
    #expect(layout.primaryKey == nil)
  }

  /// Names of types are read where they are plain, and else the runtime is asked.
  @Test func `properties are the same as reflection finds them, of every class that is loaded`() {
    struct Found: Equatable {
      let label: String
      let offset: Int
      let wrapper: ObjectIdentifier
      let plain: PlainKind?
    }
    var (classes, plain) = (0, Set<PlainKind>())
    for layout in LoadedClasses.all.layouts {
      var (read, reflected) = ([Found](), [Found]())
      ClassFields.each(of: layout.type) {
        read.append(
          Found(label: String(cString: $0), offset: $1, wrapper: ObjectIdentifier($2), plain: $3))
        if let kind = $3 { plain.insert(kind) }
      }
      ClassFields.eachByReflection(of: layout.type) {
        reflected.append(
          Found(label: String(cString: $0), offset: $1, wrapper: ObjectIdentifier($2), plain: $3))
      }
      #expect(read == reflected, "\(layout.name)")
      classes += 1
    }
    #expect(classes > 5 && plain.count >= 16, "\(classes) classes, \(plain)")
    for kind in plain { #expect(PlainKind(kind.wrapper.valueType) == kind) }
  }

  /// One that inherits, with what is no property between.
  class EverythingAndMore: Everything {
    var ignored = [1: "one"]
    @Persisted var late: Date?
    weak var other: EverythingAndMore?
    @Persisted var later: String
  }

  @Test func `attributes come from the wrappers`() {
    let keyed = ClassLayout.of(Keyed.self)
    #expect(keyed.primaryKey == 0)
    #expect(keyed.fields[1].property.isIndexed)
    #expect(ClassLayout.of(Dog.self).fields[2].property.linkOriginPropertyName == "dogs")
    #expect(ClassLayout.of(Todo.self).fields[0].property.name == "_id")
    #expect(ClassLayout.of(Address.self).isEmbedded)
  }

  @Test func `the header lies at offset 16`() {
    let person = Person(name: "Jane")
    #expect(person.name == "Jane")
    #expect(person._header.pointee.generation == 0)
    withUnsafePointer(to: &person.header) {
      #expect(UnsafeRawPointer($0) == UnsafeRawPointer(person._header))
    }
    #expect(MemoryLayout<HeaderWords>.size == MemoryLayout<ObjectHeader>.size)
  }

  @Test func `an unmanaged object takes dictionaries, arrays and objects`() {
    let dog = Dog(value: ["name": "Ben", "age": 13])
    #expect(dog.name == "Ben" && dog.age == 13)
    let person = Person(value: ["name": "Jane", "dogs": [["name": "Rex", "age": 2], dog]])
    #expect(person.dogs.elements.map(\.name) == ["Rex", "Ben"])
    #expect(Dog(value: dog).name == "Ben")
    #expect(Dog(value: ["Lita", 9]).age == 9)
    #expect(Keyed().name == "nobody")
    #expect(Everything().mood == .fine)
  }
}
