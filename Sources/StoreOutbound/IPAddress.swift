// SPDX-License-Identifier: Apache-2.0

/// An address of the internet protocol: 4 bytes of version 4, or 16 of
/// version 6.
package struct IPAddress: Hashable, Sendable {
    package let bytes: [UInt8]

    /// `nil` unless there are 4 or 16 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// A network: its first address, and the number of leading bits that its
    /// addresses have in common.
    struct Network: Hashable, Sendable {
        var first: IPAddress
        var length: Int

        /// Whether an address is in the network.
        func contains(_ address: IPAddress) -> Bool {
            guard address.bytes.count == first.bytes.count else { return false }
            let whole = length / 8
            guard address.bytes.prefix(whole) == first.bytes.prefix(whole) else { return false }
            guard length % 8 > 0 else { return true }
            let mask = UInt8.max << (8 - length % 8)
            return address.bytes[whole] & mask == first.bytes[whole] & mask
        }
    }

    /// The part of an address in which another one is embedded; `nil` when
    /// there are no 4 bytes from the place on.
    func embedded(at place: Int) -> IPAddress? {
        guard bytes.count >= place + 4 else { return nil }
        return IPAddress(Array(bytes[place..<place + 4]))
    }
}
