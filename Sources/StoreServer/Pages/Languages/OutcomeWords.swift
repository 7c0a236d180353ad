// SPDX-License-Identifier: Apache-2.0

/// The texts of the last page of a sheet, and of a payment under way.
struct OutcomeWords: PageWords {
    /// A title and a message.
    struct Outcome: Sendable {
        var title: String
        var message: String
    }

    var purchased: Outcome
    var cancelled: Outcome
    var signedIn: Outcome
    var agreed: Outcome
    var notNow: Outcome
    var nothingToAgree: Outcome
    var asked: Outcome
    var interrupted: Outcome
    var subscribed: Outcome
    var underWay: Outcome
    var pending: Outcome
    /// A payment that the customer confirms at a bank.
    var atBank: Outcome
    var toBank: String
    var waits: String
    /// A chosen plan: the title with its `{date}`.
    var renews: String
    var changes: String
    var nothingCharged: String
}
