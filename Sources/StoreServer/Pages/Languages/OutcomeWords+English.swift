// SPDX-License-Identifier: Apache-2.0

extension OutcomeWords {
    static let english = OutcomeWords(
        purchased: Outcome(title: "Purchased", message: "You can close this page and go back to the app."),
        cancelled: Outcome(
            title: "Cancelled", message: "Nothing was charged. You can close this page and go back to the app."),
        signedIn: Outcome(
            title: "Signed in", message: "You can close this page; the app continues without it."),
        agreed: Outcome(
            title: "Agreed",
            message: "The subscription goes on at the new price. You can close this page and go back to the app."),
        notNow: Outcome(
            title: "Not now",
            message: """
                You have not agreed to the new price, and can still do so. You can close this page and go back to the \
                app.
                """),
        nothingToAgree: Outcome(
            title: "No new price", message: "No new price waits for your consent. You can close this page."),
        asked: Outcome(
            title: "Asked",
            message: "Another person has to approve this first; the app then continues. Nothing was charged yet."),
        interrupted: Outcome(
            title: "Interrupted",
            message: """
                There is something to do in the store first; the purchase then continues. Nothing was charged yet.
                """),
        subscribed: Outcome(
            title: "Already subscribed",
            message: "You have this subscription, and it goes on as it is. Nothing was charged or changed."),
        underWay: Outcome(
            title: "Payment under way",
            message: """
                The payment is recorded and goes on as soon as the store can complete it. Don't buy this again: the \
                app gets it, or learns that nothing was charged.
                """),
        pending: Outcome(
            title: "Waiting for your bank",
            message: """
                Your bank has not confirmed the payment yet. You can also close this page: the app gets the purchase, \
                or learns that nothing was charged.
                """),
        atBank: Outcome(
            title: "Confirm at your bank",
            message: "Your bank asks you to confirm this payment. It opens in a new window. Nothing was charged yet."),
        toBank: "Go to your bank",
        waits: "This page shows the result. Don't buy this again meanwhile.",
        renews: "Your subscription renews on {date}",
        changes: "Your plan changes on {date}",
        nothingCharged: "Nothing was charged. You can close this page and go back to the app.")
}
