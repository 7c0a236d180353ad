// SPDX-License-Identifier: Apache-2.0

import StoreAPI

extension TransactionInfo {
    /// Apps add quantities up; sums of values in this range don't overflow.
    private static let quantities = 1...1_000_000
    private static let identifierBytes = 1...255

    /// Checks a transaction from a store before it is saved.
    ///
    /// Without a position, the transaction would be delivered before a
    /// receipt contains it.
    ///
    /// - Throws: `StoreFailure` with the code `unreadableAnswer`.
    func check(at position: EventPosition?) throws {
        guard position != nil else {
            throw StoreFailure(.unreadableAnswer, "A transaction of the store has no place in its account's events.")
        }
        guard Self.quantities.contains(quantity), Self.quantities.contains(restores?.quantity ?? 1) else {
            throw StoreFailure(.unreadableAnswer, "A transaction of the store has a quantity that can't be bought.")
        }
        let identifiers = [
            transactionIdentifier, originalTransactionIdentifier, productIdentifier,
            restores?.transactionIdentifier ?? transactionIdentifier,
        ]
        guard identifiers.allSatisfy(Self.isIdentifier) else {
            throw StoreFailure(
                .unreadableAnswer,
                """
                A transaction of the store has an identifier that is empty, is longer than \
                \(Self.identifierBytes.upperBound) bytes or has a control character.
                """)
        }
        try content.map(Self.check)
    }

    /// The largest number of contents of a transaction. A product has one.
    private static let contentLimit = 16

    private static func check(_ offers: [ContentOffer]) throws {
        let isPlain = offers.allSatisfy { offer in
            isIdentifier(offer.product) && isIdentifier(offer.version)
                && ContentVersionText.refusal(of: offer.version) == nil
        }
        guard isPlain, offers.count <= contentLimit, Set(offers.map(\.product)).count == offers.count else {
            throw StoreFailure(
                .unreadableAnswer,
                """
                A transaction of the store has content without a product or version, several contents of a product, \
                or more than \(contentLimit) contents.
                """)
        }
    }

    private static func isIdentifier(_ text: String) -> Bool {
        identifierBytes.contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
