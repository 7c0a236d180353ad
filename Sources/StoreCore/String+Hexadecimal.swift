// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Whether the text is a number of bytes in lower-case hexadecimal.
    package func isHexadecimal(bytes: Int) -> Bool {
        utf8.count == bytes * 2
            && utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
