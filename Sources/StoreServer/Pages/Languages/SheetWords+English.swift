// SPDX-License-Identifier: Apache-2.0

extension SheetWords {
    static let english = SheetWords(
        titlePayment: "Confirm purchase",
        titleSignIn: "Sign in",
        titleRedeem: "Redeem code",
        titleConsent: "Agree to a new price",
        partProduct: "What you buy",
        partTerms: "Terms of the subscription",
        partSubscription: "The subscription whose price rises",
        partCode: "The product of the code",
        partPrice: "The new price",
        partDetails: "Details of the payment",
        leadSignIn: "{app} asks for your purchases. Sign in to the store to go on.",
        leadRedeem: "Type a code for {app}, and sign in to see its product and terms.",
        freeOfCharge: "Free of charge",
        owned: "You have bought this already. You get it again free of charge.",
        asksToBuy: "Another person has to approve this purchase. Nothing is charged before.",
        paymentMethod: "Payment method",
        sandboxPayment: "Sandbox: no money is charged",
        taxIncluded: "includes {tax} tax ({rate})",
        taxAdded: "without tax ({rate}), which this payment doesn't charge",
        code: "Code",
        name: "Name",
        contactEmail: "E-mail address",
        contactExample: "That of the account",
        postcode: "Postcode",
        manageSubscriptions: "Manage subscriptions",
        buy: "Buy",
        getAgain: "Get it again",
        ask: "Ask permission",
        redeem: "Redeem",
        otherCode: "Use another code",
        goOn: "Continue",
        agree: "Agree",
        notNow: "Not now",
        sending: "Looking for the store …",
        networkFailed: """
            The store can't be reached. Check the network, and press the button again: it is carried out once.
            """)
}
