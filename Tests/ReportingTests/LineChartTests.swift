import Testing

@testable import Reporting

struct LineChartTests {
  private func chart(_ values: [Double], low: Double? = nil) -> String {
    let points = values.enumerated().map { place, value in
      LineChart.Point(x: Double(place), y: value, low: low, high: low.map { _ in value })
    }
    return LineChart(
      id: "c", title: "t", finding: "f", xTitle: "x", yTitle: "y", yUnit: "B",
      series: [.init(name: "one", points: points, ink: 0)]
    ).figure.html
  }

  // Of what held versions cost three lines of six lay on the axis, though they differed by decades.
  @Test func `nothing has its room below decades`() {
    let html = chart([0, 819, 3_300_000], low: -1)
    #expect(html.contains("y, logarithmic but for 0"))
    #expect(html.contains(">0<"))
    let plain = chart([100, 819, 3_300_000])
    #expect(plain.contains("y, logarithmic<"))
  }

  @Test func `below a decade, and of what may be less than nothing, the axis is even`() {
    #expect(!chart([0, 5, 6]).contains("logarithmic"))
    #expect(!chart([-3, 5, 600]).contains("logarithmic"))
    #expect(!chart([0, 0]).contains("logarithmic"))
  }
}
