// SPDX-License-Identifier: Apache-2.0

import StoreKit

func checkPurchaseIntentAPI() async {
    let intents: PurchaseIntent.PurchaseIntents = PurchaseIntent.intents
    for await intent: PurchaseIntent in intents {
        let _: any Equatable & Sendable & Identifiable = intent
        let product: Product = intent.product
        let offer: Product.SubscriptionOffer? = intent.offer
        let _: Bool = intent.id == product.id && offer == nil
    }
    var iterator: PurchaseIntent.PurchaseIntents.AsyncIterator = intents.makeAsyncIterator()
    let _: PurchaseIntent? = await iterator.next()
}
