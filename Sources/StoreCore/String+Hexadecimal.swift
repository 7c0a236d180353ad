// SPDX-License-Identifier: Apache-2.0

extension StringProtocol {
    /// Whether the text is a number of bytes in lower-case hexadecimal.
    package func isHexadecimal(bytes: Int) -> Bool {
        utf8.count == bytes * 2 && hasHexadecimalDigitsOnly
    }

    /// Whether each character is a digit of lower-case hexadecimal.
    package var hasHexadecimalDigitsOnly: Bool {
        utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
