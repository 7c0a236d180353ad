// SPDX-License-Identifier: Apache-2.0

/// The messages of a customer without a device.
extension Control {
    /// Buys a product as an app and its customer do.
    package struct BuyCall: Codable, Sendable {
        /// The account that buys, and pays.
        package var email: String
        package var bundle: String
        package var product: String
        /// 1 when absent.
        package var quantity: Int?
        /// Identifies the purchase of the account: a repeated call makes one
        /// purchase. Absent for another purchase with each call.
        package var request: String?
        /// The app's own name for its user (`applicationUsername`); one that is
        /// a UUID is the `appAccountToken`.
        package var accountToken: String?
        /// A promotional offer as the seller's server has signed it.
        package var discount: Discount?
        /// The identifier of a promotional offer, for which the call needs no
        /// signature.
        package var offer: String?
        /// The identifier of a win-back offer.
        package var winBackOffer: String?

        package init(
            email: String, bundle: String, product: String, quantity: Int? = nil, request: String? = nil,
            accountToken: String? = nil, discount: Discount? = nil, offer: String? = nil, winBackOffer: String? = nil
        ) {
            self.email = email
            self.bundle = bundle
            self.product = product
            self.quantity = quantity
            self.request = request
            self.accountToken = accountToken
            self.discount = discount
            self.offer = offer
            self.winBackOffer = winBackOffer
        }
    }

    /// A promotional offer as the seller's server has signed it for one payment.
    package struct Discount: Codable, Sendable {
        package var identifier: String
        /// The identifier of the key that made the signature.
        package var keyIdentifier: String
        /// A UUID.
        package var nonce: String
        /// Base64 of an ECDSA signature in DER.
        package var signature: String
        /// Milliseconds since 1970.
        package var timestamp: Int64
        /// The offer as a JWS (StoreKit 2); the key identifier, the nonce and
        /// the signature are empty then, and the timestamp is 0.
        package var token: String?
    }

    /// Redeems a code as a customer does.
    package struct RedeemCall: Codable, Sendable {
        /// The account that gets the product.
        package var email: String
        package var bundle: String
        package var code: String
        /// Identifies the redemption of the account: a repeated call redeems
        /// once. Absent for another one with each call.
        package var request: String?

        package init(email: String, bundle: String, code: String, request: String? = nil) {
            self.email = email
            self.bundle = bundle
            self.code = code
            self.request = request
        }
    }

    /// An amount that was charged for a purchase, or that the payer got back.
    package struct ChargeAnswer: Codable, Sendable {
        /// `charge`, `refund`, `dispute`, `dispute won`, `dispute lost`,
        /// `capture failed`, or another word of a later version.
        package var kind: String
        /// A decimal such as `4.99`; below zero for one that the payer got back.
        package var amount: String
        package var currency: String
        /// The account's time, in ISO 8601.
        package var at: String
    }

    /// The charges of a purchase, oldest first.
    package struct ChargesAnswer: Codable, Sendable {
        package var charges: [ChargeAnswer]
    }

    /// Restores the purchases of an account in an app.
    package struct RestorePurchasesCall: Codable, Sendable {
        package var email: String
        package var bundle: String
        /// Identifies the restore: a repeated call gets the same transactions.
        /// Absent for another restore with each call.
        package var request: String?

        package init(email: String, bundle: String, request: String? = nil) {
            self.email = email
            self.bundle = bundle
            self.request = request
        }
    }

    package struct RestoredPurchasesAnswer: Codable, Sendable {
        package var transactions: [RestoredPurchaseAnswer]
    }

    /// A restored transaction.
    package struct RestoredPurchaseAnswer: Codable, Sendable {
        package var transaction: String
        package var product: String
        package var quantity: Int
        /// The transaction of the purchase that was restored.
        package var original: String
    }

    /// Chooses the product of a subscription's next period, as the page of
    /// subscriptions does.
    package struct ChoosePlanCall: Codable, Sendable {
        /// Any transaction of the subscription.
        package var transaction: String
        /// A product of the same group.
        package var product: String

        package init(transaction: String, product: String) {
            self.transaction = transaction
            self.product = product
        }
    }

    /// Shares a subscription with the family, or not.
    package struct ShareSubscriptionCall: Codable, Sendable {
        /// Any transaction of the subscription.
        package var transaction: String
        package var isShared: Bool

        package init(transaction: String, isShared: Bool) {
            self.transaction = transaction
            self.isShared = isShared
        }
    }

    /// Asks for a refund, as the page of purchases does.
    package struct AskRefundCall: Codable, Sendable {
        package var transaction: String
        /// `unintended`, `child`, `missing`, `broken`, `unsatisfied`, `legal` or
        /// `other`.
        package var reason: String
        /// The customer's words.
        package var comment: String?

        package init(transaction: String, reason: String, comment: String? = nil) {
            self.transaction = transaction
            self.reason = reason
            self.comment = comment
        }
    }

    /// Deletes the purchases of an account.
    package struct ClearPurchasesCall: Codable, Sendable {
        package var email: String

        package init(email: String) {
            self.email = email
        }
    }

    package struct ClearPurchasesAnswer: Codable, Sendable {
        /// The number of deleted purchases.
        package var deleted: Int
    }

    /// Makes new certificates that sign from now on.
    package struct RotateCertificatesCall: Codable, Sendable {
        package init() {}
    }

    /// The serial numbers of the new certificates, in hexadecimal.
    package struct RotateCertificatesAnswer: Codable, Sendable {
        package var receipts: String
        package var jws: String
    }
}
