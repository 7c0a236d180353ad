// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain

extension StoreService {
    func payment(_ call: PaymentCall, _ message: StoreMessage) async throws -> PaymentCall.Answer {
        faults("decide:before")
        let asking = AskingForPayment(context)
        let answer = try await asking(
            Request(
                device: message.device, identifier: call.requestIdentifier, kind: .payment,
                bundleIdentifier: call.bundleIdentifier, productIdentifier: call.productIdentifier,
                quantity: call.quantity, applicationUsername: call.applicationUsername),
            now: now)
        faults("decide:after")
        switch answer.request.status {
        case .open:
            return PaymentCall.Answer(status: .authorise, sheet: answer.sheet.map(sheetAddress))
        case .processing:
            return PaymentCall.Answer(status: .processing)
        case .done where answer.isForAnotherAccount:
            return PaymentCall.Answer(status: .processing)
        case .done:
            return PaymentCall.Answer(
                status: .purchased, transaction: answer.entry.map(TransactionInfo.init),
                position: answer.entry.map { EventPosition(account: $0.purchase.account, number: $0.eventNumber) })
        default:
            return PaymentCall.Answer(status: .failed, failure: answer.request.failure.map(PaymentFailure.init))
        }
    }

    func queue(_ call: QueueCall, _ message: StoreMessage) async throws -> QueueSnapshot {
        try await snapshot(of: message.device, bundleIdentifier: call.bundleIdentifier)
    }

    func snapshot(of device: DeviceIdentifier, bundleIdentifier: String) async throws -> QueueSnapshot {
        let snapshot = try await ReadingQueue(context)
            .snapshot(of: device, bundleIdentifier: bundleIdentifier)
        return QueueSnapshot(
            position: snapshot.account.map(EventPosition.init),
            transactions: snapshot.entries.map(TransactionInfo.init))
    }

    func finish(_ call: FinishCall, _ message: StoreMessage) async throws -> FinishCall.Answer {
        let finishing = FinishingTransaction(context)
        if let account = try await finishing(call.transactionIdentifier, on: message.device) {
            hub.news(of: account)
        }
        return FinishCall.Answer()
    }

    func restore(_ call: RestoreCall, _ message: StoreMessage) async throws -> RestoreCall.Answer {
        let restoring = RestoringPurchases(context)
        switch try await restoring(
            call.requestIdentifier, of: call.bundleIdentifier, on: message.device, page: call.page, now: now)
        {
        case .signIn(let token):
            return RestoreCall.Answer(sheet: sheetAddress(token))
        case .failed(let failure):
            return RestoreCall.Answer(failure: PaymentFailure(failure))
        case .page(let restored, let nextPage, let account):
            return RestoreCall.Answer(
                transactions: restored.map(TransactionInfo.init), nextPage: nextPage, position: EventPosition(account))
        }
    }
}

extension TransactionInfo {
    init(_ entry: QueueEntry) {
        let purchase = entry.purchase
        self.init(
            transactionIdentifier: purchase.transactionIdentifier,
            originalTransactionIdentifier: purchase.originalTransactionIdentifier,
            productIdentifier: purchase.productIdentifier, quantity: purchase.quantity,
            purchaseDate: purchase.date.milliseconds, originalPurchaseDate: purchase.originalDate.milliseconds,
            applicationUsername: purchase.applicationUsername, requestIdentifier: entry.requestIdentifier)
    }

    init(_ restored: RestoringPurchases.Restored) {
        let original = restored.original
        self.init(
            transactionIdentifier: restored.transactionIdentifier,
            originalTransactionIdentifier: original.originalTransactionIdentifier,
            productIdentifier: original.productIdentifier, quantity: original.quantity,
            purchaseDate: restored.date.milliseconds, originalPurchaseDate: original.originalDate.milliseconds,
            applicationUsername: original.applicationUsername,
            restores: RestoredPurchase(
                transactionIdentifier: original.transactionIdentifier, purchaseDate: original.date.milliseconds,
                quantity: original.quantity))
    }
}
