// SPDX-License-Identifier: Apache-2.0

/// A new transaction identifier without its account.
///
/// It is drawn before a database transaction that reads from the database whose
/// purchase it makes. A repeated run of the closure then makes the same
/// identifier.
struct TransactionSerial: Hashable, Sendable {
    /// The first digit, which is that of the environment.
    private let prefix: String
    /// A number of ``RandomSource/serial(at:)``.
    private let number: Int64

    init(_ number: Int64, in environment: StoreEnvironment) {
        prefix = environment.transactionPrefix
        self.number = number
    }

    /// The identifier of a transaction of an account: 19 decimal digits, less
    /// than 2^63. The bucket and then the time precede the random digits, so
    /// that the new rows of a partition are next to each other in its indexes.
    func identifier(for account: AccountIdentifier) -> TransactionIdentifier {
        TransactionIdentifier(prefix + Self.padded(Int64(account.bucket), to: 3) + Self.padded(number, to: 15))
    }

    private static func padded(_ number: Int64, to digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
