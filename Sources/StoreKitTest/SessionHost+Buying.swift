// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreAgent
import StoreAssembly
import StoreCore
import StoreDomain
import StoreKit
import StoreService

// Purchases that are made in the store, and not through the app.
extension SessionHost {
    /// Makes a payment with this device's credentials, but not through the app,
    /// like a purchase in the store itself.
    ///
    /// - Returns: the store's identifier of the transaction; `nil` for a payment
    ///   that waits for an approval.
    /// - Throws: ``SKTestError`` and `SKError`.
    func buy(_ payment: AgentPayment, _ options: [TestPurchaseOption] = [], request: String) throws -> String? {
        for case .purchaseDate(let date, let renews) in options {
            let rest = options.filter { if case .purchaseDate = $0 { false } else { true } }
            return try buy(at: WallTime(date), renews: renews) { try buy(payment, rest, request: request) }
        }
        for case .codeOffer(let name) in options {
            return try redeem(codeOf: name, of: payment.productIdentifier, request: request)
        }
        var offer: String?
        for case .promotionalOffer(let name) in options { offer = name }
        return try pay(payment, granting: offer, request: request)
    }

    private func pay(_ payment: AgentPayment, granting offer: String?, request: String) throws -> String? {
        let call = PaymentCall(
            requestIdentifier: request, bundleIdentifier: bundleIdentifier,
            productIdentifier: payment.productIdentifier, quantity: payment.quantity,
            applicationUsername: payment.applicationUsername, discount: payment.discount,
            winBackOffer: payment.winBackOffer, introductoryOfferEligibility: payment.introductoryOfferEligibility,
            acceptsRunning: true)
        let answer = try perform { [agent] service in
            let asked = try await service.ask(
                call, on: DeviceIdentifier(agent.credentials.identifier), granting: offer)
            if let token = asked.sheet {
                _ = try await service.buy(onSheet: token, as: try await service.account(Self.customer), shown: nil)
            }
            return try await LocalStoreConnection(service).call(call, as: agent.credentials)
        }
        guard let failure = answer.failure else { return answer.transaction?.transactionIdentifier }
        throw Self.error(of: failure)
    }

    private static func error(of failure: PurchaseFailure) -> any Error {
        guard failure.code != PurchaseFailure.Code.paymentInvalid else {
            return SKTestError(.invalidProductIdentifier, message: failure.message)
        }
        return SKError(
            SKError.Code(rawValue: failure.code.rawValue) ?? .unknown,
            userInfo: [NSLocalizedDescriptionKey: failure.message])
    }

    /// Makes a code of an offer, and redeems it.
    private func redeem(codeOf offer: String, of product: String, request: String) throws -> String? {
        let (app, device) = (
            BundleIdentifier(bundleIdentifier), DeviceIdentifier(agent.credentials.identifier)
        )
        let redeemed = try perform { [store] service in
            let made = try await ManagingCodes(store.context).create(
                ManagingCodes.Order(
                    batch: store.context.random.hexadecimal(bytes: 16), bundleIdentifier: app,
                    productIdentifier: ProductIdentifier(product), kind: .oneTime, offer: offer, name: request,
                    seed: Data(store.context.random.hexadecimal(bytes: 16).utf8)))
            let asked = try await AskingForRedemption(store.context)(
                RequestIdentifier(request), of: app, on: device)
            guard let code = made.codes.first, let token = asked.sheet else { return asked.request }
            return try await service.redeem(
                code, onSheet: token, as: try await service.account(Self.customer), shown: nil)
        }
        if let failure = redeemed.failure { throw Self.error(of: failure) }
        return redeemed.status == .done ? redeemed.transactionIdentifier?.rawValue : nil
    }

    /// Buys at an earlier time, and makes the renewals until the present.
    ///
    /// - Throws: ``SKTestError`` `invalidAction` for a time in the future or
    ///   before the year 2000, in which the session's certificates begin.
    private func buy(at moment: WallTime, renews: Bool, _ buy: () throws -> String?) throws -> String? {
        let present = clock.now
        guard moment <= present, moment.milliseconds >= 946_684_800_000 else {
            throw SKTestError(
                .invalidAction, message: "The date of a purchase is from 2000 on, and not in the session's future.")
        }
        clock.set(moment)
        defer { clock.set(present) }
        let transaction = try buy()
        if !renews, let transaction {
            try perform { [self] _ in
                guard let purchase = try? await subscriptionPurchase(transaction) else { return }
                try await SettingRenewal(store.context)(
                    false, of: purchase.originalTransactionIdentifier, account: purchase.account)
            }
        }
        clock.set(present)
        try perform { [self] _ in await renew() }
        return transaction
    }

    /// Answers the open dialogs, except those that the store has closed.
    func answerDialogs(confirming: Bool) async throws {
        for token in presenter.takeDialogs() where try await service.sheet(token).refusal == nil {
            if confirming {
                try await presenter.confirm(token)
            } else {
                try await service.cancelSheet(token)
            }
        }
        let forms = presenter.takeForms()
        // Also those that follow one that the store refuses: they are closed.
        defer { for form in forms { form.answer.finish() } }
        for form in forms {
            if confirming { try await presenter.ask(forRefundOf: form.transaction) }
            form.answer.finish()
        }
    }
}
