// SPDX-License-Identifier: Apache-2.0

import StoreKit
import Testing

/// Declarations that Foundation lacks on Linux, as StoreKit's clients use
/// them.
struct FoundationTests {
    @Test(
        "A period is written in words",
        arguments: [
            (DateComponents(day: 1), "1 day"), (DateComponents(weekOfMonth: 2), "2 weeks"),
            (DateComponents(month: 1), "1 month"), (DateComponents(year: 3), "3 years"),
            (DateComponents(year: 1, month: 6), "1 year, 6 months"), (DateComponents(day: 0), "0 seconds"),
        ] as [(DateComponents, String)]) func aPeriodIsSaidInWords(_ components: DateComponents, _ words: String)
    {
        #expect(DateComponentsFormatter.localizedString(from: components, unitsStyle: .full) == words)
    }

    @Test(
        "Each units style writes a period in its own way",
        arguments: [
            (.abbreviated, "1y 6mo"), (.brief, "1yr 6mths"), (.short, "1 yr, 6 mths"),
            (.spellOut, "one year, six months"), (.positional, "1:06"),
        ] as [(DateComponentsFormatter.UnitsStyle, String)])
    func eachStyleHasItsWords(_ style: DateComponentsFormatter.UnitsStyle, _ words: String) {
        let period = DateComponents(year: 1, month: 6)
        #expect(DateComponentsFormatter.localizedString(from: period, unitsStyle: style) == words)
    }

    @Test("A formatted period of nothing is in its own unit, or in the last allowed one")
    func nothingHasAUnit() {
        #expect(DateComponentsFormatter.localizedString(from: DateComponents(day: 0), unitsStyle: .full) == "0 days")
        #expect(DateComponentsFormatter.localizedString(from: DateComponents(), unitsStyle: .full) == "0 seconds")
        let formatter = DateComponentsFormatter()
        formatter.unitsStyle = .full
        formatter.allowedUnits = [.month, .hour]
        #expect(formatter.string(from: DateComponents(month: 0)) == "0 months")
        #expect(formatter.string(from: DateComponents(day: 0)) == "0 hours")
    }

    @Test("A formatted period names only the allowed units, and no more than the maximum count")
    func onlyAllowedUnitsAreNamedAndNoMoreThanWanted() {
        let formatter = DateComponentsFormatter()
        formatter.unitsStyle = .full
        formatter.allowedUnits = [.day, .hour]
        #expect(formatter.string(from: 90_061) == "1 day, 1 hour")
        formatter.maximumUnitCount = 1
        #expect(formatter.string(from: 90_061) == "1 day")
    }

    @Test("A mutable dictionary sets a value, and removes it with nil") func aDictionaryTakesAndDropsValues() {
        let dictionary = NSMutableDictionary()
        dictionary.setValue(3, forKey: "apples")
        #expect(dictionary["apples"] as? Int == 3)
        dictionary.setValue(nil, forKey: "apples")
        #expect(dictionary["apples"] == nil)
    }

    @Test("An object keeps associated values under their keys, and they are released after it")
    func anObjectKeepsValuesUnderKeysAndTakesThemAlong() throws {
        let keys = UnsafeMutableRawPointer.allocate(byteCount: 2, alignment: 1)
        defer { keys.deallocate() }
        weak var dropped: NSObject?
        do {
            let product = SKProduct()
            let kept = NSObject()
            dropped = kept
            objc_setAssociatedObject(product, keys, "first", .OBJC_ASSOCIATION_RETAIN)
            objc_setAssociatedObject(product, keys + 1, kept, .OBJC_ASSOCIATION_RETAIN)
            #expect(objc_getAssociatedObject(product, keys) as? String == "first")
            #expect(objc_getAssociatedObject(product, keys + 1) as? NSObject === kept)
            objc_setAssociatedObject(product, keys, nil, .OBJC_ASSOCIATION_RETAIN)
            #expect(objc_getAssociatedObject(product, keys) == nil)
            #expect(objc_getAssociatedObject(SKProduct(), keys) == nil)
        }
        // Later calls remove the values of the released object.
        let others = (0..<200).map { _ in SKProduct() }
        for other in others { objc_setAssociatedObject(other, keys, 1, .OBJC_ASSOCIATION_RETAIN) }
        #expect(dropped == nil)
        others.forEach(objc_removeAssociatedObjects)
        #expect(others.allSatisfy { objc_getAssociatedObject($0, keys) == nil })
    }
}
