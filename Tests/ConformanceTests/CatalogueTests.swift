import Evidence
import Foundation
import Mutants
import Testing

@testable import Conformance

/// The checkout these tests stand in.
let root = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

let suspects = Mutant.all.map { Suspect(name: $0.name, story: $0.story, caughtBy: $0.caughtBy) }

@Suite struct `The catalogue` {
  @Test func `holds every rule once, in order`() {
    let counts = Dictionary(grouping: Catalogue.all, by: \.family).mapValues(\.count)
    #expect(
      counts == [
        "READ": 16, "WRITE": 34, "CONFINE": 20, "QUEUE": 13, "ASYNC": 56, "REF": 34, "REFRESH": 20,
        "FREEZE": 43, "COMMIT": 20, "NOTIFY": 41, "ACTOR": 41, "SEND": 8, "LIFE": 25, "GROW": 11,
        "DATA": 13,
      ])
    #expect(Set(Catalogue.all.map(\.id)).count == Catalogue.all.count)
    for (family, _) in Catalogue.families {
      let numbers = Catalogue.all.filter { $0.family == family }.map(\.number)
      let gone = Retired.numbers(of: family)
      #expect(
        (numbers + gone).sorted() == Array(1...(numbers.count + gone.count)),
        "\(family) is numbered without gaps, but for what was retired")
    }
  }

  /// Made anew, docs/RULES.md agreed with any renumbering.
  @Test func `finds each rule on its family's shelf alone`() {
    for rule in Catalogue.all { #expect(Catalogue.rule(rule.id)?.place == rule.place) }
    #expect(Catalogue.rule("READ-999") == nil)
    #expect(Catalogue.rule("") == nil)
  }

  @Test func `gives no rule's number to another, and lets none vanish without a word`() throws {
    let file = root.appendingPathComponent("docs/names.txt")
    var register = NameRegister(try String(contentsOf: file, encoding: .utf8))
    let rules = Catalogue.all.map { (name: $0.id, wording: $0.wording) }
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" {
      register.learn(rules, of: "rule")
      try register.text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(
      register.objections(to: Dictionary(uniqueKeysWithValues: rules), of: "rule") == [],
      "UPDATE_GOLDENS=1 swift test --filter ConformanceTests registers what is new")
    let retired = register.entries.compactMap { one in
      one.retired.map {
        Retired.Entry(kind: one.kind, name: one.name, date: $0.date, reason: $0.reason)
      }
    }
    #expect(retired == Retired.all, "docs/names.txt and Retired.all say the same")
  }

  @Test func `says of each rule what it rests on`() {
    #expect(Catalogue.all.count { $0.tier == .documented } == 238)
    for rule in Catalogue.all {
      #expect(!rule.wording.isEmpty && !rule.source.isEmpty && !rule.broken.isEmpty, "\(rule.id)")
      #expect(rule.probes.isEmpty == (rule.untested != nil), "\(rule.id)")
      #expect(Set(rule.probes.map(\.name)).count == rule.probes.count, "\(rule.id): probe names")
    }
  }

  @Test func `names every mutant's rules, and each of them has a probe`() {
    #expect(Set(suspects.map(\.name)).count == suspects.count)
    for suspect in suspects {
      #expect(!suspect.caughtBy.isEmpty, "\(suspect.name) names no rule")
      for id in suspect.caughtBy {
        #expect(Catalogue.rule(id) != nil, "\(suspect.name) names \(id)")
        #expect(Catalogue.rule(id)?.untested == nil, "\(suspect.name) names \(id), without probe")
      }
    }
  }

  @Test func `names a mutant of every probed rule, or why there can be none`() {
    let proven = Set(suspects.flatMap(\.caughtBy))
    let probed = Catalogue.all.filter { $0.untested == nil }.map(\.id)
    #expect(probed.filter { !proven.contains($0) && Catalogue.unproven[$0] == nil } == [])
    #expect(Catalogue.unproven.keys.filter { proven.contains($0) || !probed.contains($0) } == [])
  }

  @Test(arguments: ["README.md", "CHANGELOG.md"])
  func `is as large as the documents say`(page: String) throws {
    let text = try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
    #expect(text.contains("\(Catalogue.all.count) rules"), "\(page) counts other rules")
  }

  @Test func `is what docs/RULES.md shows`() throws {
    let page = Catalogue.document(suspects: suspects)
    let file = root.appendingPathComponent("docs/RULES.md")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" {
      try page.write(to: file, atomically: true, encoding: .utf8)
    }
    let current = try? String(contentsOf: file, encoding: .utf8)
    #expect(
      current == page,
      "docs/RULES.md is stale: realm-bench list rules --markdown > docs/RULES.md")
  }
}
