// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// The download of an app by an account: its app transaction. The account has
/// one of an app, which stays the same on all devices and when the app is
/// installed again. A member of a family has one of its own.
struct AppTransaction: Hashable, Sendable {
    var account: AccountIdentifier
    /// Apple's `appTransactionId`, a number like that of a purchase.
    var identifier: TransactionIdentifier
    var created: WallTime

    /// The number of an account's app. It depends only on the app, the account
    /// and the environment, so that processes that write the row at the same
    /// moment agree, and it is known before the row exists.
    ///
    /// It has 19 digits: the one of the environment, the bucket as that of a
    /// purchase has, and a hash. `attempt` counts the numbers that other
    /// accounts have.
    static func identifier(
        of account: AccountIdentifier, in bundleIdentifier: BundleIdentifier, _ environment: StoreEnvironment,
        attempt: Int = 0
    ) -> TransactionIdentifier {
        // No part has a line break.
        let text = "app transaction\n\(environment.rawValue)\n\(account)\n\(bundleIdentifier)\n\(attempt)"
        let hash = SHA256.hash(data: Data(text.utf8)).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let first = environment.appTransactionPrefix * 1_000_000_000_000_000_000
        let number = first + UInt64(account.bucket) * places + hash % places
        return TransactionIdentifier(String(number))
    }

    /// The number of hashes.
    private static let places: UInt64 = 1_000_000_000_000_000
}

extension TransactionIdentifier {
    /// Whether the number has the form of an app transaction's.
    func isOfApp(in environment: StoreEnvironment) -> Bool {
        bucket != nil && rawValue.hasPrefix(String(environment.appTransactionPrefix))
    }
}

extension StoreEnvironment {
    /// The first digit of the environment's app transactions. Those of purchases
    /// have another one.
    fileprivate var appTransactionPrefix: UInt64 { self == .production ? 5 : 3 }
}
