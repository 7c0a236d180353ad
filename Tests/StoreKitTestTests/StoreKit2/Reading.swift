// SPDX-License-Identifier: Apache-2.0

import StoreKit
import Testing

/// The products of a sequence that ends, in its order.
func products(_ transactions: Transaction.Transactions) async -> [String] {
    var found: [String] = []
    for await result in transactions { found.append(result.unsafePayloadValue.productID) }
    return found
}

/// The first transaction of a sequence; `nil` when it isn't verified.
func firstVerified(_ transactions: Transaction.Transactions) async -> Transaction? {
    for await result in transactions { return try? result.payloadValue }
    return nil
}

/// The next message for a new listener; `nil` when the task is cancelled.
func nextMessage() async -> Message? {
    for await message in Message.messages { return message }
    return nil
}

/// The next purchase from outside of the app for a new listener.
func nextIntent() async -> PurchaseIntent? {
    for await intent in PurchaseIntent.intents { return intent }
    return nil
}

/// Buys a product with a session's disabled dialogs, and returns the verified
/// transaction.
@MainActor
func bought(_ identifier: String, _ options: Set<Product.PurchaseOption> = []) async throws -> Transaction {
    let product = try #require(try await Product.products(for: [identifier]).first)
    guard case .success(let result) = try await product.purchase(options: options) else {
        Issue.record("the purchase of \(identifier) isn't a success")
        throw CancellationError()
    }
    return try result.payloadValue
}

/// The end of a task, until which its dialogs are answered.
@MainActor
func answer<Value: Sendable, Failure: Error>(
    _ task: Task<Value, Failure>, by dialogs: @MainActor () async throws -> Void
) async throws -> Result<Value, Failure> {
    let ended = Flag()
    Task {
        _ = await task.result
        ended.isSet = true
    }
    while !ended.isSet, !Task.isCancelled {
        try await dialogs()
        await Task.yield()
    }
    return await task.result
}

@MainActor
private final class Flag {
    var isSet = false
}

/// The newest verified renewal of the group of the fixture's subscriptions.
func renewalInfo() async throws -> Product.SubscriptionInfo.RenewalInfo {
    let status = try #require(try await Product.SubscriptionInfo.status(for: "BASKETS").first)
    return try status.renewalInfo.payloadValue
}
