// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreAPI
import StoreCore
import StoreDomain

/// The messages of the sandbox's remote control: JSON, sent to
/// `/control/v1/<verb>`.
package enum Control {
    /// The path of all routes of the remote control.
    package static let folder = "/control/v1"
    /// The folder in it of the parts of uploads: `<upload>/<offset>`, whose
    /// bodies are bytes.
    package static let uploads = "content-uploads"

    /// The calls of the remote control.
    package enum Verb: String, CaseIterable, Sendable {
        case approve, decline, resolve, refund, requests, account, accounts, product
        case productPrice = "product-price"
        case schedulePrice = "schedule-price"
        case priceChanges = "price-changes"
        case cancelPrice = "cancel-price"
        case askPriceConsent = "ask-price-consent"
        case answerPriceConsent = "answer-price-consent"
        case winBack = "win-back"
        case items
        case addItem = "add-item"
        case promoteProducts = "promote-products"
        case campaigns
        case showAccount = "show-account"
        case addAccount = "add-account"
        case closeAccount = "close-account"
        case paymentMethods = "payment-methods"
        case addPaymentMethod = "add-payment-method"
        case preferPaymentMethod = "prefer-payment-method"
        case removePaymentMethod = "remove-payment-method"
        case family
        case beginFamily = "begin-family"
        case addFamilyMember = "add-family-member"
        case setFamilyRole = "set-family-role"
        case removeFamilyMember = "remove-family-member"
        case endFamily = "end-family"
        case payments
        case setPaymentAnswer = "set-payment-answer"
        case answerPayment = "answer-payment"
        case importCatalogue = "import-catalogue"
        case exportCatalogue = "export-catalogue"
        case subscriptionContacts = "subscription-contacts"
        case clock
        case moveClock = "move-clock"
        case subscriptions
        case subscriptionEvents = "subscription-events"
        case setRenewal = "set-renewal"
        case extendSubscription = "extend-subscription"
        case extendSubscribers = "extend-subscribers"
        case setGracePeriod = "set-grace-period"
        case content
        case beginUpload = "begin-content-upload"
        case publishUpload = "publish-content-upload"
        case abandonUpload = "abandon-content-upload"
        case removeContent = "remove-content"
        case keys
        case registerKey = "register-key"
        case revokeKey = "revoke-key"
        case codes
        case createCodes = "create-codes"
        case redeemedCodes = "redeemed-codes"
        case revokeCodes = "revoke-codes"
        case refundRequests = "refund-requests"
        case approveRefund = "approve-refund"
        case declineRefund = "decline-refund"
        case reverseRefund = "reverse-refund"
        case revoke
        case reset
        case buy, redeem, finish, restore, charges
        case choosePlan = "choose-plan"
        case shareSubscription = "share-subscription"
        case expireSubscription = "expire-subscription"
        case renewSubscription = "renew-subscription"
        case askRefund = "ask-refund"
        case clearPurchases = "clear-purchases"
        case rotateCertificates = "rotate-certificates"
        case notificationAddresses = "notification-addresses"
        case addNotificationAddress = "add-notification-address"
        case removeNotificationAddress = "remove-notification-address"
        case notifications
        case showNotification = "show-notification"
        case resendNotification = "resend-notification"
        case settleNotifications = "settle-notifications"
        case deliveryModes = "delivery-modes"
        case setDeliveryMode = "set-delivery-mode"
        case trigger
        case listen = "listen"
        case stopListening = "stop-listening"
        case teams
        case addTeam = "add-team"
        case recoverTeamUser = "recover-team-user"
        case productReviews = "product-reviews"
        case reviewProduct = "review-product"
        case showReview = "show-review"
        case agreement
        case publishAgreement = "publish-agreement"
        case teamAgreements = "team-agreements"
    }

    /// Names a purchase, or a request that may become one.
    package struct TransactionCall: Codable, Sendable {
        package var transaction: String

        package init(transaction: String) {
            self.transaction = transaction
        }
    }

    /// A refund of a purchase.
    package struct RefundCall: Codable, Sendable {
        package var transaction: String
        /// A decimal such as `0.99`, in the currency of the purchase; all that
        /// is left when absent.
        package var amount: String?
        /// 16 bytes in lower-case hexadecimal, by which a repeated call is
        /// recognised and carried out once.
        package var identifier: String?

        package init(transaction: String, amount: String? = nil, identifier: String? = nil) {
            self.transaction = transaction
            self.amount = amount
            self.identifier = identifier
        }
    }

    /// Takes back the refund that has revoked a purchase.
    package struct ReverseRefundCall: Codable, Sendable {
        package var transaction: String
        /// 16 bytes in lower-case hexadecimal, by which a repeated call is
        /// recognised and carried out once.
        package var identifier: String?

        package init(transaction: String, identifier: String? = nil) {
            self.transaction = transaction
            self.identifier = identifier
        }
    }

    /// The current state of a purchase or a request.
    package struct TransactionAnswer: Codable, Sendable {
        package var transaction: String
        package var product: String
        package var bundle: String
        package var quantity: Int
        /// `deferred`, `interrupted`, `processing`, `done`, `failed`,
        /// `refunded`, or `revoked` of a shared purchase.
        package var status: String
        /// Why it failed.
        package var message: String?
    }

    package struct RequestsCall: Codable, Sendable {
        /// Lists requests with numbers after this one; from the first when
        /// absent.
        package var after: String?

        package init(after: String? = nil) {
            self.after = after
        }
    }

    package struct RequestsAnswer: Codable, Sendable {
        package var requests: [TransactionAnswer]
    }

    package struct ProductCall: Codable, Sendable {
        package var bundle: String
        package var product: String
        /// Countries, in three letters.
        package var notSoldIn: [String]

        package init(bundle: String, product: String, notSoldIn: [String]) {
            self.bundle = bundle
            self.product = product
            self.notSoldIn = notSoldIn
        }
    }

    package struct ProductAnswer: Codable, Sendable {}

    /// A new price of a product.
    package struct ProductPriceCall: Codable, Sendable {
        package var bundle: String
        package var product: String
        /// The country of the price, in three letters; the base price when
        /// absent.
        package var storefront: String?
        /// A decimal such as `0.99`. When it is absent, the storefront's price
        /// is removed, so that the base price applies there.
        package var price: String?

        package init(bundle: String, product: String, storefront: String?, price: String?) {
            self.bundle = bundle
            self.product = product
            self.storefront = storefront
            self.price = price
        }
    }

    /// The price after the change.
    package struct ProductPriceAnswer: Codable, Sendable {
        /// The country that the call named.
        package var storefront: String?
        /// A decimal such as `0.99`.
        package var price: String
        /// The currency of the storefront; absent for the base price, which is
        /// the same number in every currency.
        package var currency: String?
    }
}

extension StoreService {
    /// Decodes one message of the remote control, carries it out and encodes
    /// the answer.
    ///
    /// - Throws: `StoreFailure`, and no other error.
    package func control(_ verb: Control.Verb, _ body: Data) async throws -> Data {
        do {
            try requireCurrentSchema()
            switch verb {
            case .revoke: return try encode(Control.TransactionAnswer(try await revoke(try transaction(body))))
            case .approve: return try encode(try await approve(try transaction(body)))
            case .decline: return try encode(try await decline(try transaction(body)))
            case .resolve: return try encode(try await resolve(try transaction(body)))
            case .refund:
                let call = try decode(Control.RefundCall.self, from: body, of: verb.rawValue)
                let purchase = try await refund(
                    TransactionIdentifier(call.transaction), amount: call.amount, identifier: call.identifier)
                return try encode(Control.TransactionAnswer(purchase))
            case .requests:
                let call = try decode(Control.RequestsCall.self, from: body, of: verb.rawValue)
                let requests = try await undecided(after: TransactionIdentifier(call.after ?? ""))
                return try encode(
                    Control.RequestsAnswer(requests: requests.map(Control.TransactionAnswer.init)))
            case .account, .accounts, .showAccount, .addAccount, .closeAccount:
                return try await controlAccounts(verb, body)
            case .product:
                let call = try decode(Control.ProductCall.self, from: body, of: verb.rawValue)
                try await limit(
                    product: ProductIdentifier(call.product), of: BundleIdentifier(call.bundle),
                    isNotSoldIn: Set(call.notSoldIn))
                return try encode(Control.ProductAnswer())
            case .productPrice:
                let call = try decode(Control.ProductPriceCall.self, from: body, of: verb.rawValue)
                let product = try await setPrice(
                    product: ProductIdentifier(call.product), of: BundleIdentifier(call.bundle), in: call.storefront,
                    to: call.price)
                return try encode(Control.ProductPriceAnswer(product, in: call.storefront))
            case .schedulePrice, .priceChanges, .cancelPrice: return try await controlPrices(verb, body)
            case .askPriceConsent, .answerPriceConsent: return try await controlPriceConsent(verb, body)
            case .winBack:
                let call = try decode(Control.WinBackCall.self, from: body, of: verb.rawValue)
                try await call.carryOut(in: context)
                return try encode(call)
            case .items, .addItem, .campaigns: return try await controlItems(verb, body)
            case .promoteProducts: return try await controlPromotion(body)
            case .family, .beginFamily, .addFamilyMember, .setFamilyRole, .removeFamilyMember, .endFamily:
                return try await controlFamilies(verb, body)
            case .paymentMethods, .addPaymentMethod, .preferPaymentMethod, .removePaymentMethod:
                return try await controlPaymentMethods(verb, body)
            case .payments:
                _ = try decode(Control.PaymentsCall.self, from: body, of: verb.rawValue)
                return try encode(Control.PaymentsAnswer(payments: try await pendingPayments()))
            case .setPaymentAnswer:
                let call = try decode(Control.SetPaymentAnswerCall.self, from: body, of: verb.rawValue)
                try await SettingSandboxAnswer(context)(call.settings(), email: call.account)
                return try encode(call)
            case .answerPayment:
                let call = try decode(Control.AnswerPaymentCall.self, from: body, of: verb.rawValue)
                try await answer(PaymentIdentifier(call.payment), isConfirmed: call.isConfirmed)
                return try encode(call)
            case .importCatalogue:
                let call = try decode(Control.ImportCatalogueCall.self, from: body, of: verb.rawValue)
                return try encode(try await Control.ImportCatalogueAnswer(importing: call, into: context))
            case .subscriptionContacts:
                let call = try decode(Control.ContactsCall.self, from: body, of: verb.rawValue)
                return try encode(try await Control.ContactsAnswer(listing: call, of: context))
            case .exportCatalogue:
                let call = try decode(Control.ExportCatalogueCall.self, from: body, of: verb.rawValue)
                return try encode(try await Control.ExportCatalogueAnswer(exporting: call, from: context))
            case .clock, .moveClock, .subscriptionEvents: return try await controlClock(verb, body)
            case .subscriptions, .setRenewal, .extendSubscription, .extendSubscribers, .setGracePeriod, .choosePlan,
                .shareSubscription, .expireSubscription, .renewSubscription:
                return try await controlSubscriptions(verb, body)
            case .content, .beginUpload, .publishUpload, .abandonUpload, .removeContent:
                return try await controlContent(verb, body)
            case .keys, .registerKey, .revokeKey: return try await controlKeys(verb, body)
            case .refundRequests, .approveRefund, .declineRefund, .reverseRefund:
                return try await controlRefundRequests(verb, body)
            case .teams, .addTeam, .recoverTeamUser: return try await controlTeams(verb, body)
            case .agreement, .publishAgreement, .teamAgreements: return try await controlAgreements(verb, body)
            case .productReviews, .reviewProduct, .showReview: return try await controlReviews(verb, body)
            case .reset:
                let call = try decode(Control.ResetCall.self, from: body, of: verb.rawValue)
                try await reset()
                return try encode(call)
            case .buy, .redeem, .finish, .restore, .charges, .askRefund, .clearPurchases:
                return try await controlCustomers(verb, body)
            case .rotateCertificates:
                _ = try decode(Control.RotateCertificatesCall.self, from: body, of: verb.rawValue)
                return try encode(try await rotateCertificates())
            case .notificationAddresses, .addNotificationAddress, .removeNotificationAddress:
                return try await controlNotificationAddresses(verb, body)
            case .notifications, .showNotification, .resendNotification, .settleNotifications:
                return try await controlNotifications(verb, body)
            case .trigger: return try await controlTrigger(body)
            case .listen, .stopListening: return try await controlListening(verb, body)
            case .deliveryModes, .setDeliveryMode: return try await controlDeliveryModes(verb, body)
            case .codes, .createCodes, .redeemedCodes, .revokeCodes: return try await controlCodes(verb, body)
            }
        } catch {
            throw failure(of: error, at: "control/\(verb.rawValue)")
        }
    }

    private func transaction(_ body: Data) throws -> TransactionIdentifier {
        TransactionIdentifier(try decode(Control.TransactionCall.self, from: body, of: "a decision").transaction)
    }

    private func encode(_ request: DeviceRequest) throws -> Data {
        try encode(Control.TransactionAnswer(request))
    }

    func encode(_ answer: some Encodable) throws -> Data {
        try StoreCoding.encode(answer)
    }
}

extension Control.ProductPriceAnswer {
    init(_ product: Product, in country: String?) {
        let price = country.flatMap(Storefront.named).map(product.price)
        self.init(
            storefront: country, price: (price ?? Money(milliunits: product.milliunits, currency: "")).decimal,
            currency: price?.currency)
    }
}

extension Control.TransactionAnswer {
    init(_ request: DeviceRequest) {
        self.init(
            transaction: request.transactionIdentifier?.rawValue ?? "",
            product: request.productIdentifier?.rawValue ?? "", bundle: request.bundleIdentifier.rawValue,
            quantity: request.quantity, status: request.status.rawValue,
            message: request.failure?.message)
    }

    init(_ purchase: Purchase) {
        self.init(
            transaction: purchase.transactionIdentifier.rawValue, product: purchase.productIdentifier.rawValue,
            bundle: purchase.bundleIdentifier.rawValue, quantity: purchase.quantity,
            status: purchase.revoked == nil ? "done" : purchase.share == nil ? "refunded" : "revoked")
    }
}
