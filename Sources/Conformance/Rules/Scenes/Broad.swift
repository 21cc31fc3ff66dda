import EngineUnderTest

/// An object with more properties than fit into the words that an engine may keep a bit for each
/// in.
final class Broad: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var p1: Int
  @Persisted var p2: Int
  @Persisted var p3: Int
  @Persisted var p4: Int
  @Persisted var p5: Int
  @Persisted var p6: Int
  @Persisted var p7: Int
  @Persisted var p8: Int
  @Persisted var p9: Int
  @Persisted var p10: Int
  @Persisted var p11: Int
  @Persisted var p12: Int
  @Persisted var p13: Int
  @Persisted var p14: Int
  @Persisted var p15: Int
  @Persisted var p16: Int
  @Persisted var p17: Int
  @Persisted var p18: Int
  @Persisted var p19: Int
  @Persisted var p20: Int
  @Persisted var p21: Int
  @Persisted var p22: Int
  @Persisted var p23: Int
  @Persisted var p24: Int
  @Persisted var p25: Int
  @Persisted var p26: Int
  @Persisted var p27: Int
  @Persisted var p28: Int
  @Persisted var p29: Int
  @Persisted var p30: Int
  @Persisted var p31: Int
  @Persisted var p32: Int
  @Persisted var p33: Int
  @Persisted var p34: Int
  @Persisted var p35: Int
  @Persisted var p36: Int
  @Persisted var p37: Int
  @Persisted var p38: Int
  @Persisted var p39: Int
  @Persisted var p40: Int
  @Persisted var p41: Int
  @Persisted var p42: Int
  @Persisted var p43: Int
  @Persisted var p44: Int
  @Persisted var p45: Int
  @Persisted var p46: Int
  @Persisted var p47: Int
  @Persisted var p48: Int
  @Persisted var p49: Int
  @Persisted var p50: Int
  @Persisted var p51: Int
  @Persisted var p52: Int
  @Persisted var p53: Int
  @Persisted var p54: Int
  @Persisted var p55: Int
  @Persisted var p56: Int
  @Persisted var p57: Int
  @Persisted var p58: Int
  @Persisted var p59: Int
  @Persisted var p60: Int
  @Persisted var p61: Int
  @Persisted var p62: Int
  @Persisted var p63: Int
  @Persisted var p64: Int
  @Persisted var p65: Int
  @Persisted var p66: Int
  @Persisted var p67: Int
  @Persisted var p68: Int
  @Persisted var p69: Int
  @Persisted var p70: Int
  @Persisted var p71: Int
  @Persisted var p72: Int
  @Persisted var p73: Int
  @Persisted var p74: Int
  @Persisted var p75: Int
  @Persisted var p76: Int
  @Persisted var p77: Int
  @Persisted var p78: Int
  @Persisted var p79: Int
  @Persisted var p80: Int
  @Persisted var p81: Int
  @Persisted var p82: Int
  @Persisted var p83: Int
  @Persisted var p84: Int
  @Persisted var p85: Int
  @Persisted var p86: Int
  @Persisted var p87: Int
  @Persisted var p88: Int
  @Persisted var p89: Int
  @Persisted var p90: Int
  @Persisted var p91: Int
  @Persisted var p92: Int
  @Persisted var p93: Int
  @Persisted var p94: Int
  @Persisted var p95: Int
  @Persisted var p96: Int
  @Persisted var p97: Int
  @Persisted var p98: Int
  @Persisted var p99: Int
  @Persisted var p100: Int
  @Persisted var p101: Int
  @Persisted var p102: Int
  @Persisted var p103: Int
  @Persisted var p104: Int
  @Persisted var p105: Int
  @Persisted var p106: Int
  @Persisted var p107: Int
  @Persisted var p108: Int
  @Persisted var p109: Int
  @Persisted var p110: Int
  @Persisted var p111: Int
  @Persisted var p112: Int
  @Persisted var p113: Int
  @Persisted var p114: Int
  @Persisted var p115: Int
  @Persisted var p116: Int
  @Persisted var p117: Int
  @Persisted var p118: Int
  @Persisted var p119: Int
  @Persisted var p120: Int
  @Persisted var p121: Int
  @Persisted var p122: Int
  @Persisted var p123: Int
  @Persisted var p124: Int
  @Persisted var p125: Int
  @Persisted var p126: Int
  @Persisted var p127: Int
  @Persisted var p128: Int
  @Persisted var p129: Int
  @Persisted var p130: Int
  @Persisted var next: Broad?

  /// The numbers of properties at the edges of such words, and of those between.
  static let edges = [
    1, 2, 30, 31, 32, 33, 61, 62, 63, 64, 65, 66, 94, 95, 96, 97, 126, 127, 128, 130,
  ]

  static func configuration(_ stage: Stage, _ name: String = "broad") -> Realm.Configuration {
    var configuration = stage.configuration(name)
    configuration.objectTypes = [Broad.self, Todo.self]
    return configuration
  }

  /// What its properties hold, from the first on.
  var values: [Int] { (1...130).map { ByName.value("p\($0)", of: self) as? Int ?? -1 } }

  func set(_ number: Int, _ value: Int) { ByName.set(value, "p\(number)", of: self) }
}

extension Realm {
  func broad(_ id: Int) -> Broad! { object(ofType: Broad.self, forPrimaryKey: id) }
}
