// SPDX-License-Identifier: Apache-2.0

import Logging
package import StoreAPI
import StoreCore
package import StoreDomain

extension StoreService {
    func payment(_ call: PaymentCall, _ message: StoreMessage) async throws -> PaymentCall.Answer {
        faults("decide:before")
        let recorded = try await ask(call, on: message.device)
        faults("decide:after")
        if let failure = recorded.request.failure { report(failure, of: recorded.request) }
        if let failure = recorded.request.failureByInterruption {
            // Also when the purchase was resolved before the device received
            // this answer: its transaction is then delivered without a request.
            return PaymentCall.Answer(status: .failed, failure: failure)
        }
        return answer(to: recorded)
    }

    /// Records a payment request of a device, or looks up its answer. In a
    /// sandbox, `offer` is the identifier of a promotional offer that no seller
    /// has signed.
    ///
    /// - Throws: The errors of `AskingForPayment`.
    package func ask(
        _ call: PaymentCall, on device: DeviceIdentifier, granting offer: String? = nil
    ) async throws -> AskingForPayment.RecordedRequest {
        var request = DeviceRequest(
            device: device, identifier: RequestIdentifier(call.requestIdentifier), kind: .payment,
            bundleIdentifier: BundleIdentifier(call.bundleIdentifier),
            productIdentifier: ProductIdentifier(call.productIdentifier),
            quantity: call.quantity, applicationUsername: call.applicationUsername)
        request.simulatesAskToBuy = call.simulatesAskToBuy
        request.acceptsRunning = call.acceptsRunning ?? false
        request.discount = call.discount.map {
            PaymentDiscount(
                identifier: $0.identifier, keyIdentifier: $0.keyIdentifier, nonce: $0.nonce, signature: $0.signature,
                timestamp: $0.timestamp, token: $0.token)
        }
        if let offer { request.discount = PaymentDiscount(unsigned: offer) }
        let others = [
            call.winBackOffer.map { PaymentDiscount(winBack: $0) },
            call.introductoryOfferEligibility.map { PaymentDiscount(introductory: $0) },
        ].compactMap(\.self)
        guard others.count + (request.discount == nil ? 0 : 1) <= 1 else {
            throw DomainError(
                .invalid, "A payment names one of a discount, a win-back offer and a decision about the introduction.")
        }
        request.discount = others.first ?? request.discount
        return try await AskingForPayment(context)(request, withdrawn: call.isWithdrawn ?? false)
    }

    private func answer(to recorded: AskingForPayment.RecordedRequest) -> PaymentCall.Answer {
        switch recorded.request.status {
        case .open:
            return PaymentCall.Answer(status: .authorise, sheet: recorded.sheet.map(sheetAddress))
        case .deferred:
            return PaymentCall.Answer(status: .deferred)
        case .processing where recorded.request.deferred != nil:
            return PaymentCall.Answer(status: .deferred)
        case .processing:
            return PaymentCall.Answer(status: .processing)
        case .done where recorded.isForAnotherAccount:
            return PaymentCall.Answer(status: .processing)
        case .done:
            return PaymentCall.Answer(
                status: .purchased, transaction: recorded.entry.map(TransactionInfo.init),
                position: recorded.entry.map {
                    EventPosition(account: $0.purchase.account.rawValue, number: $0.eventNumber)
                })
        default:
            return PaymentCall.Answer(
                status: .failed, failure: recorded.request.failure)
        }
    }

    func queue(_ call: QueueCall, _ message: StoreMessage) async throws -> QueueSnapshot {
        try await snapshot(
            of: message.device, bundleIdentifier: BundleIdentifier(call.bundleIdentifier),
            received: call.position.map(AccountEvent.Position.init), inPages: call.takesPages ?? false,
            after: call.after.map(AccountEvent.Position.init), until: call.until.map(AccountEvent.Position.init))
    }

    /// The queue of a device; one page of it if the device takes pages.
    func snapshot(
        of device: DeviceIdentifier, bundleIdentifier: BundleIdentifier, received: AccountEvent.Position? = nil,
        inPages: Bool, after: AccountEvent.Position? = nil, until: AccountEvent.Position? = nil
    ) async throws -> QueueSnapshot {
        let reading = ReadingQueue(context)
        let snapshot =
            inPages
            ? try await reading.snapshot(
                of: device, bundleIdentifier: bundleIdentifier, received: received, after: after, until: until,
                limit: ReadingQueue.pageSize)
            : try await reading.snapshot(of: device, bundleIdentifier: bundleIdentifier, received: received)
        return QueueSnapshot(
            position: snapshot.account.map(EventPosition.init),
            transactions: snapshot.entries.map(TransactionInfo.init),
            storefront: snapshot.account.map { StorefrontInfo($0.storefront) },
            clockOffset: snapshot.account.flatMap { $0.clock.offset == 0 ? nil : $0.clock.offset },
            revoked: snapshot.revoked.isEmpty ? nil : snapshot.revoked.map(RevokedInfo.init),
            reinstated: snapshot.reinstated.isEmpty ? nil : snapshot.reinstated.map(RevokedInfo.init),
            next: snapshot.next.map(EventPosition.init))
    }

    func finish(_ call: FinishCall, _ message: StoreMessage) async throws -> FinishCall.Answer {
        _ = try await FinishingTransaction(context)(
            TransactionIdentifier(call.transactionIdentifier), on: message.device)
        return FinishCall.Answer()
    }

    func restore(_ call: RestoreCall, _ message: StoreMessage) async throws -> RestoreCall.Answer {
        let restoring = RestoringPurchases(context)
        switch try await restoring(
            RequestIdentifier(call.requestIdentifier), of: BundleIdentifier(call.bundleIdentifier), on: message.device,
            page: call.page)
        {
        case .signIn(let token):
            return RestoreCall.Answer(sheet: sheetAddress(token))
        case .failed(let failure):
            return RestoreCall.Answer(failure: failure)
        case .page(let restored, let nextPage, let account):
            return RestoreCall.Answer(
                transactions: restored.map(TransactionInfo.init), nextPage: nextPage, position: EventPosition(account))
        }
    }
}

extension RevokedInfo {
    /// Describes the purchase of a revocation event, or of the end of its
    /// revocation.
    ///
    /// A refund of a product that is owned once revokes all purchases of its
    /// chain, each by an event of its own. An older version recorded only one
    /// event, of the first purchase, so the event of any of them revokes the
    /// chain.
    init(_ purchase: Purchase) {
        let revokesChain = purchase.kind.isOwnedOnce
        self.init(
            transactionIdentifier: revokesChain ? nil : purchase.transactionIdentifier.rawValue,
            originalTransactionIdentifier: purchase.originalTransactionIdentifier.rawValue,
            productIdentifier: purchase.productIdentifier.rawValue,
            isEntitlement: !purchase.kind.leavesTheReceipt && (purchase.isOriginal || !revokesChain))
    }
}

extension TransactionInfo {
    init(_ entry: UnfinishedTransaction) {
        let purchase = entry.purchase
        self.init(
            transactionIdentifier: purchase.transactionIdentifier.rawValue,
            originalTransactionIdentifier: purchase.originalTransactionIdentifier.rawValue,
            productIdentifier: purchase.productIdentifier.rawValue, quantity: purchase.quantity,
            purchaseDate: purchase.date.milliseconds, originalPurchaseDate: purchase.originalDate.milliseconds,
            applicationUsername: purchase.applicationUsername, requestIdentifier: entry.requestIdentifier?.rawValue,
            content: ContentOffer.offers(of: purchase, entry.content))
    }

    init(_ restored: RestoringPurchases.Restored) {
        let original = restored.original
        self.init(
            transactionIdentifier: restored.transactionIdentifier.rawValue,
            originalTransactionIdentifier: original.originalTransactionIdentifier.rawValue,
            productIdentifier: original.productIdentifier.rawValue, quantity: original.quantity,
            purchaseDate: restored.date.milliseconds, originalPurchaseDate: original.originalDate.milliseconds,
            applicationUsername: original.applicationUsername,
            restores: RestoredPurchase(
                transactionIdentifier: original.originalTransactionIdentifier.rawValue,
                purchaseDate: original.originalDate.milliseconds, quantity: original.quantity,
                period: original.isOriginal || original.kind != .autoRenewable
                    ? nil : original.transactionIdentifier.rawValue),
            content: ContentOffer.offers(of: original, restored.content))
    }
}

extension StoreService {
    /// Logs why an offer was refused; a failure of any other reason isn't
    /// logged. The reason may contain texts of the device: control characters
    /// would end the line.
    func report(_ failure: PurchaseFailure, of request: DeviceRequest) {
        guard failure.code.isOfOffers else { return }
        let reason = failure.message.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(400)
        logger.notice(
            "refused an offer",
            metadata: ["request": "\(request.identifier)", "reason": "\(String(String.UnicodeScalarView(reason)))"])
    }
}

extension PurchaseFailure.Code {
    /// Whether an offer is the reason.
    fileprivate var isOfOffers: Bool {
        let codes: [PurchaseFailure.Code] = [
            .invalidOfferIdentifier, .invalidSignature, .missingOfferParams, .invalidOfferPrice, .ineligibleForOffer,
        ]
        return codes.contains(self)
    }
}
