// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// The values of a purchase that is about to be made, decided before its
/// transaction: product, account, price and payment.
struct Sale: Hashable, Sendable {
    var product: Product
    var account: AccountIdentifier
    /// The account that pays.
    var payer: AccountIdentifier
    /// The identifier of the future purchase.
    var identifier: TransactionIdentifier
    var price: Money
    /// The country code of the storefront in whose currency the price is.
    var storefront: String
    /// The account's purchase of the product, when the product is given again
    /// without a charge.
    var owned: Purchase?
    /// `nil` when it costs nothing.
    var paymentNumber: PaymentIdentifier?
    /// The identifier of its ledger entry.
    var entry: String
}

extension Purchase {
    /// Makes the purchase of a request that is paid for or costs nothing.
    init(_ sale: Sale, of request: DeviceRequest, at time: StoreTime) {
        self.init(
            transactionIdentifier: sale.identifier,
            originalTransactionIdentifier: sale.owned?.originalTransactionIdentifier
                ?? OriginalTransactionIdentifier(sale.identifier),
            account: sale.account, bundleIdentifier: sale.product.bundleIdentifier,
            productIdentifier: sale.product.productIdentifier, kind: sale.product.kind, quantity: request.quantity,
            applicationUsername: request.applicationUsername, date: time,
            originalDate: sale.owned?.originalDate ?? time, price: sale.price, storefront: sale.storefront,
            device: request.device, requestIdentifier: request.identifier, isInReceipt: true, revoked: nil)
        if sale.owned == nil, sale.product.plan == nil, let offer = request.code?.offer, !offer.isEmpty {
            codeOffer = offer
        }
    }

    /// Makes the purchase of a subscription's period after the newest one,
    /// whose user name it keeps. No device has asked for it.
    init(_ period: SubscribedPeriod, renewing newest: Purchase) {
        self = newest
        transactionIdentifier = period.transaction
        productIdentifier = period.product
        date = period.start
        price = period.price
        storefront = period.storefront
        device = nil
        requestIdentifier = nil
        isInReceipt = true
        revoked = nil
        term = Term(period)
    }

    /// Whether it completes the account's right to own its product.
    var completesReservation: Bool { kind.isOwnedOnce && isOriginal }
}

extension LedgerEntry {
    /// The charge of a sale.
    init(of sale: Sale, at time: StoreTime) {
        self.init(
            identifier: sale.entry, account: sale.payer, transactionIdentifier: sale.identifier,
            paymentNumber: sale.paymentNumber, amount: sale.price, at: time)
    }
}

extension DeviceRequest {
    /// The answered payment request of a purchase, after its row was deleted.
    init(answeredBy purchase: Purchase, device: DeviceIdentifier, identifier: RequestIdentifier) {
        self.init(
            device: device, identifier: identifier, kind: .payment, bundleIdentifier: purchase.bundleIdentifier,
            productIdentifier: purchase.productIdentifier, quantity: purchase.quantity,
            applicationUsername: purchase.applicationUsername)
        status = .done
        account = purchase.account
        transactionIdentifier = purchase.transactionIdentifier
    }

    /// The request identifier with which its purchase is delivered. The app
    /// has received a failure for an interrupted payment, so that its later
    /// purchase is delivered as one that the app didn't ask for. So is that of
    /// a redemption.
    var identifierOfDelivery: RequestIdentifier? { interrupted == nil && kind != .redemption ? identifier : nil }

    /// Ends the request with its purchase; `number` is that of the event that
    /// brings it to the device.
    mutating func becomePurchase(_ purchase: Purchase, reportedBy number: Int64?) {
        status = .done
        failure = nil
        contact = nil
        appliedOffer = nil
        tokens = nil
        transactionIdentifier = purchase.transactionIdentifier
        eventNumber = number
    }
}

extension Purchase.Term {
    init(_ period: SubscribedPeriod) {
        self.init(
            group: period.plan.group, expires: period.end, webOrder: period.webOrder, offer: period.offer)
    }
}
