// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Images of one colour, of which the store reads the headers.
package enum TestImage {
    /// A PNG image of a size, with an alpha channel or without. `mark` makes
    /// images of a size differ.
    package static func png(width: Int, height: Int, hasAlpha: Bool = false, mark: String = "") -> Data {
        var bytes = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        bytes += chunk("IHDR", number(width, 4) + number(height, 4) + [8, hasAlpha ? 6 : 2, 0, 0, 0])
        if !mark.isEmpty { bytes += chunk("tEXt", Data("Comment\0\(mark)".utf8)) }
        bytes += chunk("IDAT", Data([0x78, 0x01, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01]))
        return bytes + chunk("IEND", Data())
    }

    /// The start of a JPEG image of a size, to the header of its pixels.
    package static func jpeg(width: Int, height: Int) -> Data {
        Data([0xFF, 0xD8, 0xFF, 0xE0]) + number(16, 2) + Data("JFIF\0".utf8) + Data(count: 9)
            + [0xFF, 0xC2] + number(17, 2) + [8] + number(height, 2) + number(width, 2) + Data(count: 10)
            + [0xFF, 0xDA]
    }

    private static func chunk(_ name: String, _ contents: Data) -> Data {
        number(contents.count, 4) + Data(name.utf8) + contents + number(0, 4)
    }

    private static func number(_ value: Int, _ bytes: Int) -> Data {
        Data((0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
    }
}
