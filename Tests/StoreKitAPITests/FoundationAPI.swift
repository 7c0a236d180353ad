// SPDX-License-Identifier: Apache-2.0

import StoreKit

// Declarations that StoreKit's clients use and Foundation lacks on Linux.

func checkFormatterAPI(_ product: SKProduct) {
    let prices: NumberFormatter = NumberFormatter()
    prices.formatterBehavior = .behavior10_4
    let _: NumberFormatter.Behavior = prices.formatterBehavior
    let formatter: DateComponentsFormatter = DateComponentsFormatter()
    formatter.unitsStyle = .full
    formatter.allowedUnits = [.day, .weekOfMonth, .month, .year]
    formatter.maximumUnitCount = 1
    formatter.zeroFormattingBehavior = .dropAll
    formatter.calendar = Calendar.current
    let _: String? = formatter.string(from: DateComponents(month: 1))
    let _: String? = formatter.string(from: 60 as TimeInterval)
    let _: String? = DateComponentsFormatter.localizedString(from: DateComponents(month: 1), unitsStyle: .short)
}

func checkKeyValueAPI(_ dictionary: NSMutableDictionary, _ defaults: UserDefaults, _ product: SKProduct) {
    let _: () = dictionary.setValue("apple", forKey: "fruit")
    let _: () = defaults.setValue(true, forKey: "apple")
    let _: () = product.setValue("apple", forKey: "productIdentifier")
    let _: Any? = product.value(forKey: "productIdentifier")
}

func checkAssociatedObjectAPI(_ product: SKProduct, _ key: UnsafeRawPointer) {
    let _: () = objc_setAssociatedObject(product, key, "apple", .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
    let _: Any? = objc_getAssociatedObject(product, key)
    let _: () = objc_removeAssociatedObjects(product)
}
