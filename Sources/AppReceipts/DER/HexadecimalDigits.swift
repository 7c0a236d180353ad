// SPDX-License-Identifier: Apache-2.0

extension Sequence<UInt8> {
    /// The bytes in lower-case hexadecimal digits.
    ///
    /// `StoreCore` has the same for `Data`. AppReceipts is also a library of
    /// its own and imports no other target of this package.
    package var hexadecimalDigits: String {
        map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
