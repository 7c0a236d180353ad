// SPDX-License-Identifier: Apache-2.0

extension PurchaseWords {
    static let english = PurchaseWords(
        none: "This account has no purchases.",
        older: "Older purchases",
        newest: "Newest purchases",
        receipt: "Receipt",
        titleReceipt: "Receipt of a purchase",
        order: "Number",
        date: "Date",
        app: "App",
        product: "Product",
        quantity: "Quantity",
        period: "Period",
        periodUntil: "until {end}",
        price: "Price",
        free: "free of charge",
        refunded: "refunded",
        refundedOn: "Refunded on {date}.",
        partlyRefundedOn: "A part of the price was refunded on {date}.",
        store: "Store",
        print: "To keep this receipt, print the page.",
        report: "Report a problem",
        titleProblem: "Report a problem",
        leadProblem: """
            You ask for a refund. The store's people read it and decide. If they approve it, you get the price back \
            and lose the product.
            """,
        reason: "Your problem",
        unintended: "I didn't mean to buy this",
        child: "A child bought this without permission",
        missing: "I have not received it",
        broken: "It doesn't work as expected",
        unsatisfied: "I'm not satisfied with it",
        legal: "I have a legal reason",
        other: "Something else",
        comment: "Describe it (optional)",
        send: "Ask for a refund",
        waits: "You have asked for a refund. The store's people have not decided yet.",
        declined: "The store's people have declined the refund.",
        approved: "The refund was approved.",
        costNothing: "This purchase cost nothing, so that nothing can be given back.",
        back: "Back to the receipt")
}
