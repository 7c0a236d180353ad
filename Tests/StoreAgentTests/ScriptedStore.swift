// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreCore
import StoreTestSupport
import Synchronization

@testable import StoreAgent

/// A store with scripted answers, over a network with scripted failures. Its
/// receipts are real ones.
final class ScriptedStore: StoreConnection {
    typealias Answering<Call: StoreCall> = @Sendable (Call) async throws -> Call.Answer

    struct Script: Sendable {
        var pay: Answering<PaymentCall> = { _ in PaymentCall.Answer(status: .processing) }
        var finish: Answering<FinishCall> = { _ in FinishCall.Answer() }
        var restore: Answering<RestoreCall> = { _ in RestoreCall.Answer() }
        var receipt: Answering<ReceiptCall>?
        var transactionReceipts: Answering<TransactionReceiptsCall>?
        var signedTransactions: Answering<SignedTransactionsCall>?
        var content: Answering<ContentCall>?
        var item: Answering<ItemCall> = { _ in ItemCall.Answer() }
        var accountPage: Answering<AccountPageCall> = { _ in AccountPageCall.Answer() }
        var redemption: Answering<RedemptionCall> = { _ in SheetAnswer() }
        var priceConsent: Answering<PriceConsentCall> = { _ in SheetAnswer() }
        var part: (@Sendable (ContentRequest) async throws -> ContentPart)?
        /// The failure of every message and stream.
        var outage: ConnectionFailure.Reach?
        /// The store's answer to every message and stream.
        var refusal: StoreFailure?
        var position: EventPosition?
        var queue: [TransactionInfo] = []
        /// The transactions of restores: receipts list them, and the queue doesn't.
        fileprivate(set) var restored: [TransactionInfo] = []
    }

    struct Stream: Sendable {
        let subscription: EventSubscription
        let events: AsyncThrowingStream<StoreEvent, any Error>.Continuation
    }

    static let authority: SigningAuthority = {
        var random = SeededGenerator(seed: 1)
        do {
            return try SigningAuthority.create(using: &random)
        } catch {
            preconditionFailure("no authority: \(error)")
        }
    }()

    let script: Watched<Script>
    let payments = Watched<[PaymentCall]>([])
    let finishes = Watched<[FinishCall]>([])
    let restores = Watched<[RestoreCall]>([])
    let transactionReceipts = Watched<[TransactionReceiptsCall]>([])
    let signedTransactions = Watched<[SignedTransactionsCall]>([])
    let contents = Watched<[ContentCall]>([])
    let items = Watched<[ItemCall]>([])
    let accountPages = Watched<[AccountPageCall]>([])
    let redemptions = Watched<[RedemptionCall]>([])
    let priceConsents = Watched<[PriceConsentCall]>([])
    let parts = Watched<[ContentRequest]>([])
    let streams = Watched<[Stream]>([])

    init(_ script: Script = Script()) {
        self.script = Watched(script)
    }

    /// Sends an event over the newest stream.
    func tell(_ event: StoreEvent) async {
        let streams = await streams.until { !$0.isEmpty }
        streams.last?.events.yield(event)
    }

    func send(_ message: StoreMessage) async throws -> Data {
        let script = script.value
        switch message.path {
        case .payments:
            return try await answer(message, payments) { [self] call in
                let answer = try await script.pay(call)
                // A purchased transaction is in the queue from then on.
                if let transaction = answer.transaction {
                    self.script.change { script in
                        if !script.queue.contains(transaction) { script.queue.append(transaction) }
                    }
                }
                return answer
            }
        case .finish: return try await answer(message, finishes, script.finish)
        case .restore:
            return try await answer(message, restores) { [self] call in
                let answer = try await script.restore(call)
                self.script.change { $0.restored += answer.transactions }
                return answer
            }
        case .register:
            try checkNetwork()
            return try StoreCoding.encode(RegisterCall.Answer(environment: "Sandbox"))
        case .queue:
            try checkNetwork()
            return try StoreCoding.encode(QueueSnapshot(position: script.position, transactions: script.queue))
        case .receipt:
            try checkNetwork()
            let call = try StoreCoding.decode(ReceiptCall.self, from: message.body)
            if let receipt = script.receipt { return try StoreCoding.encode(try await receipt(call)) }
            return try StoreCoding.encode(
                Self.receipt(for: message.credentials, call, script.position, listing: script.queue + script.restored))
        case .transactionReceipts:
            return try await answer(
                message, transactionReceipts, script.transactionReceipts ?? { Self.receipts(for: $0, script.position) })
        case .signedTransactions:
            return try await answer(
                message, signedTransactions,
                script.signedTransactions ?? { _ in SignedTransactionsCall.Answer(position: script.position) })
        case .content:
            guard let content = script.content else { throw StoreFailure(.contentNotFound, "not in this script") }
            return try await answer(message, contents, content)
        case .item: return try await answer(message, items, script.item)
        case .redemption: return try await answer(message, redemptions, script.redemption)
        case .priceConsent: return try await answer(message, priceConsents, script.priceConsent)
        case .accountPage: return try await answer(message, accountPages, script.accountPage)
        default:
            throw StoreFailure(.notFound, "not in this script")
        }
    }

    func content(_ request: ContentRequest) async throws -> ContentPart {
        parts.change { $0.append(request) }
        try checkNetwork()
        guard let part = script.value.part else { throw StoreFailure(.contentNotFound, "not in this script") }
        return try await part(request)
    }

    func events(_ subscription: EventSubscription) async throws -> AsyncThrowingStream<StoreEvent, any Error> {
        try checkNetwork()
        let (stream, events) = AsyncThrowingStream.makeStream(of: StoreEvent.self)
        let script = script.value
        if subscription.position == nil || subscription.position?.account != script.position?.account {
            events.yield(.snapshot(QueueSnapshot(position: script.position, transactions: script.queue)))
        }
        streams.change { $0.append(Stream(subscription: subscription, events: events)) }
        return stream
    }

    private func answer<Call: StoreCall>(
        _ message: StoreMessage, _ log: Watched<[Call]>, _ answering: Answering<Call>
    ) async throws -> Data {
        let call = try StoreCoding.decode(Call.self, from: message.body)
        log.change { $0.append(call) }
        try checkNetwork()
        return try StoreCoding.encode(try await answering(call))
    }

    private func checkNetwork() throws {
        if let reach = script.value.outage { throw ConnectionFailure(reach: reach, underlying: Outage()) }
        if let refusal = script.value.refusal { throw refusal }
    }

    struct Outage: Error {}

    static func receipt(
        for credentials: DeviceCredentials, _ call: ReceiptCall, _ position: EventPosition?,
        listing transactions: [TransactionInfo] = []
    ) throws -> ReceiptCall.Answer {
        let opaque = Data("opaque".utf8)
        let device = Data(hexadecimal: credentials.identifier) ?? Data()
        let receipt = AppReceipt(
            environment: .sandbox, bundleIdentifier: call.bundleIdentifier, applicationVersion: call.applicationVersion,
            opaqueValue: opaque,
            deviceHash: AppReceipt.deviceHash(
                deviceIdentifier: device, opaqueValue: opaque, bundleIdentifier: call.bundleIdentifier),
            creationDate: Date(timeIntervalSince1970: 1_700_000_000),
            inAppPurchases: transactions.map { transaction in
                InAppPurchase(
                    productIdentifier: transaction.productIdentifier,
                    transactionIdentifier: transaction.restores?.transactionIdentifier
                        ?? transaction.transactionIdentifier,
                    purchaseDate: Date(timeIntervalSince1970: 1_700_000_000))
            })
        return ReceiptCall.Answer(receipt: try authority.sign(receipt).base64EncodedString(), position: position)
    }

    /// Receipts that the agent stores without parsing them.
    static func receipts(
        for call: TransactionReceiptsCall, _ position: EventPosition?
    ) -> TransactionReceiptsCall.Answer {
        let receipts = call.transactions.map { ($0, Data("receipt of \($0)".utf8).base64EncodedString()) }
        return TransactionReceiptsCall.Answer(
            account: position?.account, receipts: Dictionary(uniqueKeysWithValues: receipts))
    }
}
