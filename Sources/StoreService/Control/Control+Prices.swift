// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

/// The calls about prices that change at a moment, and about the consent of
/// subscribers.
extension StoreService {
    /// Carries out one of the calls `schedulePrice`, `priceChanges` and
    /// `cancelPrice`.
    func controlPrices(_ verb: Control.Verb, _ body: Data) async throws -> Data {
        let scheduling = SchedulingPriceChange(context)
        switch verb {
        case .schedulePrice:
            let call = try decode(Control.SchedulePriceCall.self, from: body, of: verb.rawValue)
            let change = try await scheduling(SchedulingPriceChange.Order(call))
            if call.starts == nil { await applyPriceChanges() }
            return try encode(Control.PriceChangeAnswer(change))
        case .cancelPrice:
            let call = try decode(Control.CancelPriceCall.self, from: body, of: verb.rawValue)
            try await scheduling.cancel(PriceChangeIdentifier(call.change))
            return try encode(call)
        default:
            let call = try decode(Control.PriceChangesCall.self, from: body, of: verb.rawValue)
            let changes = try await scheduling.changes(
                of: ProductIdentifier(call.product), in: BundleIdentifier(call.bundle))
            return try encode(Control.PriceChangesAnswer(changes: changes.map(Control.PriceChangeAnswer.init)))
        }
    }

    /// Carries out one of the calls `askPriceConsent` and
    /// `answerPriceConsent`.
    func controlPriceConsent(_ verb: Control.Verb, _ body: Data) async throws -> Data {
        if verb == .askPriceConsent {
            let call = try decode(Control.AskPriceConsentCall.self, from: body, of: verb.rawValue)
            let found = try await AskingForPriceConsent(context)(
                TransactionIdentifier(call.transaction), price: call.price)
            return try encode(try await subscription(found))
        }
        let call = try decode(Control.AnswerPriceConsentCall.self, from: body, of: verb.rawValue)
        let found = try await FindingSubscription(context)(TransactionIdentifier(call.transaction))
        let answering = AnsweringPriceIncrease(context)
        var asked: DeviceRequest?
        if call.agrees {
            asked = try await answering.agree(found.original, account: found.account)
        } else {
            try await answering.decline(found.original, account: found.account)
        }
        return try encode(try await subscription(found, asked))
    }
}

extension SchedulingPriceChange.Order {
    /// - Throws: `DomainError` `invalid` for a moment or a word of another
    ///   form.
    fileprivate init(_ call: Control.SchedulePriceCall) throws {
        let starts = try call.starts.map { text in
            guard let moment = StoreTime(iso8601: text) else {
                throw DomainError(
                    .invalid, "\"\(text.prefix(64))\" isn't a moment: write one such as 2026-03-01T00:00:00Z.")
            }
            return WallTime(milliseconds: moment.milliseconds)
        }
        self.init(
            ProductIdentifier(call.product), of: BundleIdentifier(call.bundle), in: call.storefront,
            price: call.price, starts: starts,
            subscribers: try Self.value(call.subscribers, or: .keep, "subscribers"),
            consent: try Self.value(call.consent, or: .rule, "consent"))
    }

    private static func value<Value: RawRepresentable & CaseIterable>(
        _ word: String?, or other: Value, _ name: String
    ) throws -> Value where Value.RawValue == String {
        guard let word else { return other }
        guard let value = Value(rawValue: word) else {
            let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw DomainError(.invalid, "\(name) isn't \"\(word.prefix(64))\": it is one of \(words).")
        }
        return value
    }
}

extension Control.PriceChangeAnswer {
    init(_ change: PriceChange) {
        self.init(
            change: change.identifier.rawValue, product: change.productIdentifier.rawValue,
            storefront: change.storefront, price: change.milliunits.decimal(in: change.storefront),
            previous: (change.application?.previous).map { $0.decimal(in: change.storefront) },
            starts: StoreTime(milliseconds: change.starts.milliseconds).iso8601,
            subscribers: change.subscribers.rawValue, consent: change.consent.rawValue,
            status: change.finished != nil ? "done" : change.application == nil ? "scheduled" : "telling")
    }
}

extension Control.PriceIncreaseAnswer {
    /// `nil` for a subscription without an increase.
    init?(_ state: SubscriptionState) {
        guard let increase = state.priceIncrease, let applies = state.firstIncreasedPeriod else { return nil }
        self.init(
            price: increase.price.decimal, currency: increase.price.currency, applies: applies.iso8601,
            needsConsent: increase.needsConsent, isAgreed: increase.isAgreed)
    }
}
