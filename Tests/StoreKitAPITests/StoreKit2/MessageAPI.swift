// SPDX-License-Identifier: Apache-2.0

import StoreKit

func checkMessageAPI() async throws {
    let messages: Message.Messages = Message.messages
    let _: any AsyncSequence & Sendable = messages
    for await message: Message in messages {
        let _: any Hashable & Sendable = message
        let reason: Message.Reason = message.reason
        let _: Int = reason.rawValue
        let _: String = reason.localizedDescription
        let _: [Message.Reason] = [.generic, .priceIncreaseConsent, .billingIssue, .winBackOffer, .init(rawValue: 9)]
        // An addition: on Apple's platforms it takes a scene.
        try await message.display()
    }
    var iterator: Message.Messages.AsyncIterator = messages.makeAsyncIterator()
    let _: Message? = await iterator.next()
}
