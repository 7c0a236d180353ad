// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Images of one colour, of which the store reads the headers.
package enum TestImage {
    /// A PNG image of a size, with an alpha channel or without. `mark` makes
    /// images of a size differ.
    package static func png(width: Int, height: Int, hasAlpha: Bool = false, mark: String = "") -> Data {
        var bytes = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        var header = number(width, 4)
        header.append(number(height, 4))
        header.append(contentsOf: [8, hasAlpha ? 6 : 2, 0, 0, 0] as [UInt8])
        bytes += chunk("IHDR", header)
        if !mark.isEmpty { bytes += chunk("tEXt", Data("Comment\0\(mark)".utf8)) }
        bytes += chunk("IDAT", Data([0x78, 0x01, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01]))
        return bytes + chunk("IEND", Data())
    }

    /// The start of a JPEG image of a size, to the header of its pixels.
    package static func jpeg(width: Int, height: Int) -> Data {
        var bytes = Data([0xFF, 0xD8, 0xFF, 0xE0])
        bytes.append(number(16, 2))
        bytes.append(Data("JFIF\0".utf8))
        bytes.append(Data(count: 9))
        bytes.append(contentsOf: [0xFF, 0xC2] as [UInt8])
        bytes.append(number(17, 2))
        bytes.append(8)
        bytes.append(number(height, 2))
        bytes.append(number(width, 2))
        bytes.append(Data(count: 10))
        bytes.append(contentsOf: [0xFF, 0xDA] as [UInt8])
        return bytes
    }

    private static func chunk(_ name: String, _ contents: Data) -> Data {
        var bytes = number(contents.count, 4)
        bytes.append(Data(name.utf8))
        bytes.append(contents)
        bytes.append(number(0, 4))
        return bytes
    }

    private static func number(_ value: Int, _ bytes: Int) -> Data {
        Data((0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
    }
}
