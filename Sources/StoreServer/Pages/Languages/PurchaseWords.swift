// SPDX-License-Identifier: Apache-2.0

/// The texts of the pages of purchases, receipts and reported problems.
struct PurchaseWords: PageWords {
    var none: String
    var older: String
    var newest: String
    var receipt: String
    var titleReceipt: String
    var order: String
    var date: String
    var app: String
    var product: String
    var quantity: String
    var period: String
    /// A period until `{end}`.
    var periodUntil: String
    var price: String
    var free: String
    var refunded: String
    /// Refunded on `{date}`.
    var refundedOn: String
    /// A part of the price was refunded on `{date}`.
    var partlyRefundedOn: String
    var store: String
    var print: String
    var report: String
    var titleProblem: String
    var leadProblem: String
    var reason: String
    var unintended: String
    var child: String
    var missing: String
    var broken: String
    var unsatisfied: String
    var legal: String
    var other: String
    var comment: String
    var send: String
    var waits: String
    var declined: String
    var approved: String
    var costNothing: String
    var back: String
}
