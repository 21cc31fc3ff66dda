import StandIns
import Testing

@testable import ReferenceEngine

/// Random stories over several tables and many held versions, compared with a model after every
/// step.
@Suite struct StoryTests {
  /// Two openers of one file.
  private func teller(_ folder: Folder) -> Storyteller {
    Storyteller { try Coordinator(StorageConfiguration(location: folder.file())) }
  }

  @Test func `READ-03: every version is what was committed, as long as it is held`() throws {
    let seed = Wish.seed(orElse: 31)
    let count = Wish.number("STORY_STEPS", orElse: 60_000)
    var dice = Dice(seed: seed)
    let story = StoryStep.story(count, &dice)
    let folder = Folder()
    do throws(Storyteller.Ending) {
      let comparisons = try teller(folder).tell(story)
      print("story of \(count) steps, seed \(seed): \(comparisons) versions compared")
    } catch {
      let short = Storyteller {
        try Coordinator(StorageConfiguration(location: folder.file("short.realm")))
      }
      .shortened(Array(story.prefix(error.step + 1)))
      Issue.record("seed \(seed), \(error); the same in short: \(short)")
    }
  }

  @Test func `A story that ends badly is shortened to its point`() throws {
    var dice = Dice(seed: 3)
    let story = StoryStep.story(2_000, &dice)
    let teller = Storyteller {
      // Nobody else has it open, so each opener has its own.
      let disk = MisspellingDisk(
        try ImageDisk(UnsafeRawBufferPointer(start: nil, count: 0)), misspelling: 2)
      return try Coordinator(
        StorageConfiguration(location: .memory(identifier: "misspelt")), disk: disk, lockPath: nil)
    }
    let one = story.filter { $0 != .changeWriter && $0 != .reopen }
    #expect(throws: Storyteller.Ending.self) { try teller.tell(one) }
    let short = teller.shortened(one, limit: .seconds(20))
    print("a story of \(one.count) steps shortened to \(short.count): \(short)")
    #expect(short.count <= 6)
    #expect(throws: Storyteller.Ending.self) { try teller.tell(short) }
  }
}
