// SPDX-License-Identifier: Apache-2.0

/// The right of an account to own a non-consumable. It is held from before
/// the payment is authorised until the payment fails or the purchase is
/// refunded. The index `reservation_owned_once` allows one row per account
/// and product.
struct Reservation {
    var paymentNumber: PaymentIdentifier
    /// The purchase; `nil` while the payment is under way.
    var transactionIdentifier: TransactionIdentifier?
}
