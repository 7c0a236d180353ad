// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreCore
import StoreDomain

/// The calls that a customer makes without a device. Each runs the use case of
/// a device's message or of a page.
extension StoreService {
    /// Carries out a call of a customer.
    ///
    /// - Throws: The errors of the use cases; `StoreFailure` `malformed` for a
    ///   call of another form.
    func controlCustomers(_ verb: Control.Verb, _ body: Data) async throws -> Data {
        switch verb {
        case .buy:
            return try encode(try await buy(try decode(Control.BuyCall.self, from: body, of: verb.rawValue)))
        case .finish:
            let call = try decode(Control.TransactionCall.self, from: body, of: verb.rawValue)
            let purchase = try await FindingPurchase(context)(TransactionIdentifier(call.transaction))
            do {
                try await FinishingServedTransaction(context)(
                    purchase.transactionIdentifier, in: purchase.bundleIdentifier)
            } catch let error as ServerError {
                throw DomainError(.notFound, error.message)
            }
            return try encode(Control.TransactionAnswer(purchase))
        case .redeem:
            return try encode(try await redeem(try decode(Control.RedeemCall.self, from: body, of: verb.rawValue)))
        case .charges:
            let call = try decode(Control.TransactionCall.self, from: body, of: verb.rawValue)
            let entries = try await ListingCharges(context)(TransactionIdentifier(call.transaction))
            return try encode(Control.ChargesAnswer(charges: entries.map(Control.ChargeAnswer.init)))
        case .restore:
            let call = try decode(Control.RestorePurchasesCall.self, from: body, of: verb.rawValue)
            return try encode(try await restore(call))
        case .clearPurchases:
            let call = try decode(Control.ClearPurchasesCall.self, from: body, of: verb.rawValue)
            return try encode(
                Control.ClearPurchasesAnswer(deleted: try await ClearingPurchases(context)(email: call.email)))
        default:
            let call = try decode(Control.AskRefundCall.self, from: body, of: verb.rawValue)
            return try encode(try await askForRefund(call))
        }
    }

    /// Buys by the steps of a device and of its sheet.
    private func buy(_ call: Control.BuyCall) async throws -> Control.TransactionAnswer {
        let account = try await account(call.email)
        try await requireApp(BundleIdentifier(call.bundle))
        let asked = PaymentCall(
            requestIdentifier: call.request ?? context.random.hexadecimal(bytes: 16), bundleIdentifier: call.bundle,
            productIdentifier: call.product, quantity: call.quantity ?? 1, applicationUsername: call.accountToken,
            discount: call.discount.map(DiscountInfo.init), winBackOffer: call.winBackOffer,
            acceptsRunning: true)
        guard [call.discount?.identifier, call.offer, call.winBackOffer].compactMap(\.self).count <= 1 else {
            throw DomainError(.invalid, "A purchase names one of discount, offer and winBackOffer.")
        }
        guard (call.offer?.utf8.count ?? 0) <= Control.longestOffer else {
            throw DomainError(.invalid, "An offer's identifier has at most \(Control.longestOffer) bytes.")
        }
        let recorded = try await ask(
            try limited(asked), on: try await RegisteringDevice(context).remoteControl(of: account.identifier),
            granting: call.offer)
        guard recorded.request.status == .open, let sheet = recorded.sheet else {
            return Control.TransactionAnswer(recorded.request)
        }
        return Control.TransactionAnswer(try await buy(onSheet: sheet, as: account, shown: nil))
    }

    /// Redeems a code by the steps of a device and of its sheet.
    private func redeem(_ call: Control.RedeemCall) async throws -> Control.TransactionAnswer {
        let account = try await account(call.email)
        try await requireApp(BundleIdentifier(call.bundle))
        let asked = try limited(
            RedemptionCall(
                requestIdentifier: call.request ?? context.random.hexadecimal(bytes: 16),
                bundleIdentifier: call.bundle))
        let recorded = try await AskingForRedemption(context)(
            RequestIdentifier(asked.requestIdentifier), of: BundleIdentifier(asked.bundleIdentifier),
            on: try await RegisteringDevice(context).remoteControl(of: account.identifier))
        guard recorded.request.status == .open, let sheet = recorded.sheet else {
            return Control.TransactionAnswer(recorded.request)
        }
        return Control.TransactionAnswer(try await redeem(call.code, onSheet: sheet, as: account, shown: nil))
    }

    /// Restores all pages by the messages of a device.
    private func restore(_ call: Control.RestorePurchasesCall) async throws -> Control.RestoredPurchasesAnswer {
        let account = try await account(call.email)
        try await requireApp(BundleIdentifier(call.bundle))
        let device = try await RegisteringDevice(context).remoteControl(of: account.identifier)
        var asked = try limited(
            RestoreCall(
                requestIdentifier: call.request ?? context.random.hexadecimal(bytes: 16),
                bundleIdentifier: call.bundle, page: 0))
        let restoring = RestoringPurchases(context)
        var answer = Control.RestoredPurchasesAnswer(transactions: [])
        while true {
            switch try await restoring(
                RequestIdentifier(asked.requestIdentifier), of: BundleIdentifier(asked.bundleIdentifier), on: device,
                page: asked.page)
            {
            case .signIn(let sheet): try await signIn(onSheet: sheet, as: account)
            case .failed(let failure): throw StoreFailure(.invalid, failure.message)
            case .page(let restored, let next, _):
                answer.transactions += restored.map(Control.RestoredPurchaseAnswer.init)
                guard let next else { return answer }
                asked.page = next
            }
        }
    }

    private func askForRefund(_ call: Control.AskRefundCall) async throws -> Control.RefundRequestAnswer {
        guard let reason = RefundRequest.Reason(rawValue: call.reason) else {
            let names = RefundRequest.Reason.allCases.map(\.rawValue).joined(separator: ", ")
            throw DomainError(.invalid, "There is no reason \"\(call.reason.prefix(64))\". The reasons are \(names).")
        }
        let purchase = try await FindingPurchase(context)(TransactionIdentifier(call.transaction))
        let request = try await AskingForRefund(context)(
            purchase.transactionIdentifier, of: purchase.account, because: reason, comment: call.comment)
        return Control.RefundRequestAnswer(request)
    }

    /// Checks the values of a call as those of a device's message.
    ///
    /// - Throws: `StoreFailure` `invalid`.
    private func limited<Call: StoreCall>(_ call: Call) throws -> Call {
        try decode(Call.self, from: try StoreCoding.encode(call), of: "the call")
    }
}

extension Control {
    /// The longest identifier of an offer, in bytes.
    fileprivate static let longestOffer = 200
}

extension Control.ChargeAnswer {
    fileprivate init(_ entry: LedgerEntry) {
        self.init(
            kind: entry.kind.rawValue, amount: entry.amount.decimal, currency: entry.amount.currency,
            at: entry.at.iso8601)
    }
}

extension DiscountInfo {
    fileprivate init(_ discount: Control.Discount) {
        self.init(
            identifier: discount.identifier, keyIdentifier: discount.keyIdentifier, nonce: discount.nonce,
            signature: discount.signature, timestamp: discount.timestamp, token: discount.token)
    }
}

extension Control.RestoredPurchaseAnswer {
    fileprivate init(_ restored: RestoringPurchases.Restored) {
        self.init(
            transaction: restored.transactionIdentifier.rawValue, product: restored.original.productIdentifier.rawValue,
            quantity: restored.original.quantity, original: restored.original.transactionIdentifier.rawValue)
    }
}
