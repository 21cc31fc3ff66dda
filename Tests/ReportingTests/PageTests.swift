import Evidence
import Foundation
import Testing

@testable import Reporting

struct PageTests {
  @Test func `the hash is the standard's`() {
    func hex(_ text: String) -> String {
      SHA256.digest(Array(text.utf8)).map { String(format: "%02x", $0) }.joined()
    }
    #expect(hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    for length in 54...66 {
      let bytes = [UInt8](repeating: 97, count: length)
      #expect(SHA256.digest(bytes).count == 32)
    }
    #expect(Base64.encode(Array("any carnal pleas".utf8)) == "YW55IGNhcm5hbCBwbGVhcw==")
  }

  @Test func `the same run gives the same bytes`() {
    #expect(RunReport(Fixture.run).html == RunReport(Fixture.run).html)
  }

  @Test func `hostile names cannot leave their place`() {
    let html = RunReport(Fixture.run).html
    #expect(!html.contains("<img"))
    // The data and the page's own script, and nothing that a name brought along.
    #expect(html.components(separatedBy: "</script>").count == 3)
    #expect(!html.unicodeScalars.contains("\u{202E}") || html.contains("\\u202e") == false)
    #expect(html.contains("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;"))
  }

  @Test func `nothing on the page needs what its policy forbids`() {
    for html in [
      RunReport(Fixture.run).html,
      ComparisonReport.html(runs: [Fixture.run, Fixture.run], comparisons: [Fixture.comparison]),
    ] {
      #expect(!html.contains(" style="))
      #expect(!html.contains(" onclick=") && !html.contains("javascript:"))
      #expect(
        !html.contains("http://")
          || html.components(separatedBy: "http://").dropFirst().allSatisfy {
            $0.hasPrefix("www.w3.org/2000/svg")
          })
      for tag in ["style", "script"] {
        let text = html.components(separatedBy: "<\(tag)>")[1]
          .components(separatedBy: "</\(tag)>")[0]
        let hash = Base64.encode(SHA256.digest(Array(text.utf8)))
        #expect(html.contains("\(tag)-src 'sha256-\(hash)'"))
        #expect(text.utf8.count < 15_000)
      }
    }
  }

  @Test func `the answer comes first, and an invalid benchmark has no time`() {
    let html = RunReport(Fixture.run).html
    let answer = html.range(of: "1 answer was wrong and has no speed")
    let table = html.range(of: "<table>")
    #expect(answer != nil && table != nil)
    if let answer, let table { #expect(answer.lowerBound < table.lowerBound) }
    #expect(html.contains("✕ invalid"))
  }

  @Test func `what took too long is no wrong answer`() {
    var run = Fixture.run
    for place in run.results.indices where !run.results[place].valid {
      run.results[place].reason = "stopped after 1 ms: it did not end"
    }
    let html = RunReport(run).html
    #expect(html.contains("1 measurement took too long and gave no answer"))
    #expect(!html.contains("1 answer was wrong"))
  }

  @Test func `what to decide by stands before the first table`() throws {
    let html = Fixture.read(RunReport(Fixture.run).html)
    let top = try #require(html.components(separatedBy: "<nav").first)
    // By what arrives: a copy is no answer for whoever needs a live object.
    #expect(
      top.contains(
        "100 objects by the cheapest way: live, reference 74 µs (query 1.27×); values only, "
          + "copy 15.9 µs; frozen, freeze 12.9 µs."
      ), "\(top)")
    #expect(
      top.contains("as many commits in the same time, with 0.020 flushes for each instead of 2."))
    #expect(top.contains("the main loop stood still for at most sync 41.2 ms, writeAsync 1.54 ms"))
    #expect(top.contains("; with nothing to do 1.13 ms."), "\(top)")
    #expect(
      top.contains(
        "the file grows with each commit while 1\u{202F}000 versions are held (change=1): reference"
      ))
  }

  @Test func `every chart is named, described and given as numbers`() {
    let html = RunReport(Fixture.run).html
    let figures = html.components(separatedBy: "<figure>").dropFirst()
    #expect(figures.count >= 5)
    for figure in figures {
      #expect(figure.contains("role=\"img\""))
      #expect(figure.contains("<title"))
      #expect(figure.contains("<desc"))
      #expect(figure.contains("The numbers of this chart"))
    }
  }

  @Test func `elements are closed in the order they were opened`() throws {
    for html in [
      RunReport(Fixture.run).html,
      ComparisonReport.html(runs: [Fixture.run, Fixture.run], comparisons: [Fixture.comparison]),
    ] {
      var open: [Substring] = []
      let pattern = /<(\/?)([a-zA-Z0-9]+)[^>]*?(\/?)>/
      let body = html.replacing(/<(style|script)[^>]*>[\s\S]*?<\/(style|script)>/, with: "")
      for match in body.matches(of: pattern) {
        let name = match.output.2
        if ["meta", "br", "wbr", "link", "input"].contains(name) || match.output.3 == "/" {
          continue
        }
        if match.output.1.isEmpty {
          open.append(name)
        } else {
          let last = open.popLast()
          #expect(last == name)
        }
      }
      #expect(open.isEmpty)
    }
  }

  @Test func `sixty benchmarks fit a megabyte and a half and take less than a second`() {
    var run = Run()
    let engines = ["reference", "sqlite", "lmdb"]
    for benchmark in 0..<60 {
      for engine in engines {
        run.results.append(
          Finding(
            benchmark: "reads.number-\(benchmark)/rows=1000000", engine: engine, rounds: 10,
            seed: 1,
            values: Metric.all.prefix(20).map {
              .init(
                metric: $0.name, value: 100.5, low: 99.25, high: 101.75, confidence: 0.97,
                rounds: (0..<10).map { 99 + Double($0) / 7 }, samples: 100_000)
            }))
      }
    }
    /// Of this thread alone: what others do on a busy machine is not the page's.
    func processorTime() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = processorTime()
    let size = RunReport(run).html.utf8.count
    let took = processorTime() - start
    #expect(size < 1_500_000, "\(size) bytes")
    // Ten times the promise: a debug build.
    #expect(took < 10, "\(took) s")
  }

  @Test func `comparisons show what got worse first`() {
    let html = ComparisonReport.html(
      runs: [Fixture.run, Fixture.run], comparisons: [Fixture.comparison])
    #expect(html.contains("2 regressed, 1 improved"))
    #expect(html.contains("session trusted (A/A: 0 of 5 changed)"))
    #expect(Fixture.read(html).contains("exact: +1 per op"))
    #expect(html.contains("Before &lt;b&gt;"))
  }

  @Test
  func
    `each benchmark and each rule has an anchor, and a link to its source where there is a base`()
  {
    var run = Fixture.run
    run.catalogue = [
      .init(
        name: "reads.by-primary-key", sentence: "One look at a key.",
        source: "Sources/Reads.swift:7"),
      .init(name: "READ-01", sentence: "", source: "Sources/Rules.swift:9"),
    ]
    run.examination = Examination(
      engine: "reference", engineVersion: "1", seed: 1,
      verdicts: [
        Verdict(
          id: "READ-01", tier: "documented", level: "required", wording: "It MUST.", state: .holds)
      ])
    let plain = RunReport(run).html
    #expect(plain.contains("<tr class=\"group\" id=\"reads.by-primary-key/rows=1000000\">"))
    #expect(plain.contains("<tr id=\"READ-01\">"))
    #expect(plain.contains("One look at a key. <code>Sources/Reads.swift:7</code>"))
    #expect(!plain.contains("href=\"http"))
    let linked = RunReport(run, links: Links(base: "https://host/own/name/blob/abc")).html
    #expect(linked.contains("href=\"https://host/own/name/blob/abc/Sources/Reads.swift#L7\""))
    #expect(linked.contains("href=\"https://host/own/name/blob/abc/Sources/Rules.swift#L9\""))
    #expect(
      linked.contains(
        "href=\"https://host/own/name/blob/abc/docs/RULES.md#:~:text=READ-01%20(documented)\""))
    // A name that could be no anchor gets one that is its own.
    #expect(Links.anchor("a b") != Links.anchor("a-b") && !Links.anchor("a b").contains(" "))
  }

  @Test func `a long page folds by its chapters, a short one stands open`() {
    let long = RunReport(Fixture.run).html
    #expect(long.contains("<details class=\"chapter\">"))
    // The anchor lies inside its fold: going there opens it where no script runs.
    #expect(long.contains("</summary>\n<div class=\"chapter-body\" id=\"chapter-reads\""))
    var run = Fixture.run
    run.results = Array(run.results.prefix(2))
    #expect(!RunReport(run).html.contains("<details class=\"chapter\">"))
  }

  @Test func `rounds are dots and their interval a bar`() throws {
    let html = RunReport(Fixture.run).html
    let row = try #require(
      html.components(separatedBy: "id=\"reads.by-primary-key/rows=1000000\"").last?
        .components(separatedBy: "</tr>").dropFirst().first)
    let spread = try #require(row.components(separatedBy: "class=\"spread\"").last)
    #expect(spread.components(separatedBy: "<circle").count == 1 + 8)
    #expect(spread.contains("<rect") && spread.contains("8 rounds, ±3.5 %"), "\(spread)")
  }

  @Test func `shares are shares, and loops are what they were`() throws {
    var run = Fixture.run
    let place = try #require(run.results.firstIndex { $0.histogram != nil })
    run.results[place].benchmark = "async.acknowledge/load=70"
    run.results[place].values.append(
      .init(
        metric: "late", value: 0, low: 0, high: 0, confidence: 0.9, rounds: [0], samples: 1))
    let html = Fixture.read(RunReport(run).html)
    #expect(html.contains(">75 %</th>") && html.contains(">99.9 %</th>"))
    let open = try #require(html.components(separatedBy: "<caption>Response time, open loop").last)
    let ends = try #require(open.components(separatedBy: "</table>").first)
    #expect(ends.contains("async.acknowledge/load=70") && !ends.contains("reads.by-primary-key"))
    let curve = try #require(html.components(separatedBy: "share of operations done in time").last)
    #expect(curve.contains(">75 %</th>") && curve.contains(">95 %</th>"))
  }

  @Test func `both sides are called by their commits`() {
    var comparison = Fixture.comparison
    #expect(comparison.sideNames == ("aaa", "bbb"))
    let html = ComparisonReport.html(
      runs: [Fixture.run, Fixture.run], comparisons: [comparison])
    #expect(html.contains(">aaa → bbb</th>"))
    #expect(TextTable.comparison(comparison).contains("aaa → bbb"))
    comparison.b.commit = "aaa"
    #expect(comparison.sideNames == ("A (aaa)", "B (aaa)"))
    comparison.a.commit = ""
    #expect(comparison.sideNames == ("A", "B (aaa)"))
    comparison.a.commit = "unknown"
    #expect(comparison.sideNames == ("A", "B (aaa)"))
  }

  /// The page of stored runs said that a build had been compared with itself.
  @Test func `of stored runs the control is said to be their own`() {
    var comparison = Fixture.comparison
    func box() -> String {
      Fixture.read(TrustBox(run: Fixture.run, comparisons: [comparison]).html)
    }
    #expect(box().contains("Control: a build against itself on 5 benchmarks"))
    comparison.interleaved = false
    let stored = box()
    #expect(stored.contains("Control: 5 benchmarks of both runs together, each measured when its"))
    #expect(!stored.contains("against itself") && !stored.contains("suspect"))
    #expect(stored.contains("noise floor "))
  }

  @Test func `a comparison leads to the pages of its runs, an ab to its own tables`() {
    var run = Fixture.run
    run.comparison = Fixture.comparison
    run.comparison?.rows[0].benchmark = "async.commit/group=1"
    #expect(
      RunReport(run).html.contains("<a href=\"#async.commit/group=1\">async.commit/<wbr>group=1"))
    let comparison = run.comparison ?? Fixture.comparison
    func page(_ path: String?) -> String {
      ComparisonReport.html(runs: [run, run], comparisons: [comparison]) { _ in path }
    }
    #expect(page("../b c/report.html").contains("href=\"../b c/report.html#async.commit/group=1\""))
    #expect(!page(nil).contains("href=\"#async.commit"))
    // What a page of two builds was made for stands open, however long the page is.
    #expect(RunReport(run).html.contains("<details class=\"chapter\" open>"))
  }
}
