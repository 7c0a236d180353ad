// SPDX-License-Identifier: Apache-2.0

import StoreKit

func checkPromotionInfoAPI() async throws {
    var promotions: [Product.PromotionInfo] = try await Product.PromotionInfo.currentOrder
    for index in promotions.indices {
        let _: any Equatable = promotions[index]
        let _: Product.ID = promotions[index].productID
        let visibility: Product.PromotionInfo.Visibility = promotions[index].visibility
        let _: Int = visibility.rawValue
        promotions[index].visibility = .appStoreConnectDefault
        try await promotions[index].update()
    }
    try await Product.PromotionInfo.updateProductOrder(byID: ["apple", "pear"])
    try await Product.PromotionInfo.updateProductOrder(byID: Set(["apple"]))
    try await Product.PromotionInfo.updateProductVisibility(.visible, for: "apple")
    try await Product.PromotionInfo.updateProductVisibility(.hidden, for: "pear")
    try await Product.PromotionInfo.updateAll(promotions)
}
