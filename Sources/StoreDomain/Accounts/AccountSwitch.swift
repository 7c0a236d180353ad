// SPDX-License-Identifier: Apache-2.0

/// A setting of an account that is on or off.
///
/// Its element in ``all`` and its column in a migration declare a switch. The
/// rows of accounts, the messages of the remote control, the flags of
/// `storectl account set` and the listings are made from ``all``.
package struct AccountSwitch: Hashable, Sendable {
    /// The accounts that can have a switch.
    package enum Kind: Hashable, Sendable {
        /// Accounts of both environments.
        case restriction
        /// Accounts of the sandbox, for a test.
        case test
    }

    /// The name of the switch in messages, such as `asksToBuy`.
    package let name: String
    /// The name of its flag of `storectl account set`, such as `ask-to-buy`.
    package let flag: String
    /// Its column in the table `account`.
    let column: String
    package let kind: Kind
    /// The help of its flag.
    package let help: String
    /// The words of a listing for an account on which the switch is on.
    package let note: String

    package static let barred = AccountSwitch(
        name: "isBarred", flag: "barred", column: "is_barred", kind: .restriction,
        help: "Whether the store sells nothing to it any more.", note: "barred")
    package static let asksToBuy = AccountSwitch(
        name: "asksToBuy", flag: "ask-to-buy", column: "asks_to_buy", kind: .restriction,
        help: "Whether another person has to approve its purchases.", note: "asks to buy")
    package static let interruptsPurchases = AccountSwitch(
        name: "interruptsPurchases", flag: "interrupt-purchases", column: "interrupts_purchases", kind: .test,
        help: "Whether its purchases are interrupted.", note: "purchases are interrupted")
    package static let declinesPayments = AccountSwitch(
        name: "declinesPayments", flag: "decline-payments", column: "declines_payments", kind: .test,
        help: "Whether its payments are declined, those of renewals too.", note: "payments are declined")
    package static let retriesNotifications = AccountSwitch(
        name: "retriesNotifications", flag: "retry-notifications", column: "retries_notifications", kind: .test,
        help: "Whether a notification that wasn't received is sent again, as in production.",
        note: "notifications are sent again")

    /// All switches, in the order of a listing.
    package static let all = [barred, asksToBuy, interruptsPurchases, declinesPayments, retriesNotifications]

    package static func == (left: AccountSwitch, right: AccountSwitch) -> Bool { left.name == right.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
