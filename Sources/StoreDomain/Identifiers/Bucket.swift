// SPDX-License-Identifier: Apache-2.0

/// The bucket of an account: one of a thousand groups, by which the tables of
/// accounts can be partitioned.
extension AccountIdentifier {
    /// The number of buckets.
    package static let buckets = 1000

    /// The bucket, from 0 to 999, a function of the identifier alone. A
    /// statement that knows the account therefore needs no look-up of it.
    ///
    /// It is the value of the first four characters as a hexadecimal number,
    /// modulo a thousand. A character that is missing or isn't one of `0` to
    /// `9` and `a` to `f` counts as 0. `Schema.bucket(of:)` is the same in SQL.
    /// It must not change: every row of an account contains it.
    package var bucket: Int {
        let digits = rawValue.unicodeScalars.prefix(4).map { scalar in
            switch scalar {
            case "0"..."9": Int(scalar.value - 0x30)
            case "a"..."f": Int(scalar.value - 0x61) + 10
            default: 0
            }
        }
        let padding = repeatElement(0, count: 4 - digits.count)
        return (digits + padding).reduce(0) { $0 * 16 + $1 } % Self.buckets
    }
}

extension TransactionIdentifier {
    /// The number of digits of an identifier with a bucket.
    static let digits = 19

    /// The bucket of the account, which the second to the fourth digit have;
    /// `nil` for an identifier of an older version, which has fewer digits.
    package var bucket: Int? {
        let digits = rawValue.utf8
        guard digits.count == Self.digits, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.dropFirst().prefix(3).reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
