import Evidence
import Foundation
import FoundationXML
import Testing

@testable import Reporting

struct FlameGraphTests {
  private var stacks: FoldedStacks {
    var stacks = FoldedStacks()
    stacks.add(["main", "read <T>"], times: 75)
    stacks.add(["main", "write \"&\"", "flush"], times: 25)
    stacks.add(["main", "never"], times: 0)
    return stacks
  }

  private final class Boxes: NSObject, XMLParserDelegate {
    var widths: [Double] = []
    var titles: [String] = []
    private var text = ""
    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      text = ""
      if name == "rect", let width = attributes["width"].flatMap(Double.init) {
        widths.append(width)
      }
    }
    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
      if name == "title" { titles.append(text) }
    }
  }

  @Test func `boxes are as wide as their share, and named in full`() {
    let svg = FlameGraph(stacks, title: "a <b>").svg
    #expect(svg == FlameGraph(stacks, title: "a <b>").svg)
    let parser = XMLParser(data: Data(svg.utf8))
    let boxes = Boxes()
    parser.delegate = boxes
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    #expect(
      boxes.titles == [
        "a <b>: 100 samples", "main: 100 samples, 100 %", "read <T>: 75 samples, 75 %",
        "write \"&\": 25 samples, 25 %", "flush: 25 samples, 25 %",
      ])
    // The ground, main, read, write, flush.
    #expect(boxes.widths == [1220, 1199.6, 899.6, 299.6, 299.6])
    #expect(!svg.contains("<script") && !svg.contains(" style="))
  }

  @Test func `a stack as deep as it may be is drawn`() {
    var deep = FoldedStacks()
    deep.add((0..<256).map { "frame\($0)" })
    #expect(FlameGraph(deep, title: "deep").svg.components(separatedBy: "<g>").count == 257)
  }
}
