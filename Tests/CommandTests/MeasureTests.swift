import Foundation
import Testing

/// Workloads of several processes: the others are this tool again, which only the built one can be.
struct MeasureTests {
  private func measure(_ benchmark: String, _ engine: String, pass: String = "time") throws
    -> String
  {
    let folder = try Tool.scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = try Tool.run([
      "measure", "--benchmark", benchmark, "--engine", engine, "--seed", "3", "--pass", pass,
      "--seconds", "0.05", "--workdir", folder.path,
    ])
    #expect(result.code == 0, "\(result.err)")
    return result.out
  }

  @Test(arguments: ["reference", "sqlite", "lmdb"])
  func `writers in processes lose no change`(engine: String) throws {
    let out = try measure("writes.contention/batch=3/mode=processes/rows=200/writers=2", engine)
    #expect(out.contains("\"checks\":1") && !out.contains("\"failure\""), "\(out)")
    #expect(out.contains("\"fairness\""), "\(out)")
  }

  @Test func `an observer in another process sees each commit`() throws {
    let out = try measure("notify.process/rows=200", "reference")
    #expect(out.contains("\"checks\":2") && !out.contains("\"failure\""), "\(out)")
    #expect(out.contains("\"p50\""), "\(out)")
  }

  @Test func `recording a latency allocates nothing`() throws {
    let out = try measure("floor.record", "null", pass: "count")
    #expect(out.contains("\"flushes\"") && !out.contains("\"failure\""), "\(out)")
  }
}
