// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The media type, the size and the transparency of an image, read from its
/// own bytes: PNG (ISO/IEC 15948) or JPEG (ITU-T T.81). Its name and the type
/// that its sender gives don't count.
struct PictureFormat: Hashable, Sendable {
    /// `image/png` or `image/jpeg`.
    var type: String
    /// In pixels.
    var width: Int
    var height: Int
    /// Whether the image may have transparent pixels.
    var hasAlpha: Bool

    /// The format of an image; `nil` for other bytes, and for a PNG that
    /// breaks off or has bytes after its end.
    init?(_ bytes: Data) {
        let reader = ByteReader(bytes)
        guard let format = Self.png(reader) ?? Self.jpeg(reader), format.width > 0, format.height > 0 else {
            return nil
        }
        self = format
    }

    private init(type: String, width: Int, height: Int, hasAlpha: Bool) {
        self.type = type
        self.width = width
        self.height = height
        self.hasAlpha = hasAlpha
    }

    private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static func png(_ bytes: ByteReader) -> PictureFormat? {
        guard bytes.matches(pngSignature, at: 0), bytes.text(at: 12) == "IHDR", bytes.number(at: 8, bytes: 4) == 13,
            let width = bytes.number(at: 16, bytes: 4), let height = bytes.number(at: 20, bytes: 4),
            let color = bytes[25]
        else { return nil }
        // The color types 4 and 6 have an alpha channel.
        var format = PictureFormat(
            type: "image/png", width: width, height: height, hasAlpha: color == 4 || color == 6)
        var (place, hasPixels) = (pngSignature.count, false)
        while let length = bytes.number(at: place, bytes: 4), let chunk = bytes.text(at: place + 4) {
            place += 12 + length
            guard place <= bytes.count else { return nil }
            switch chunk {
            case "tRNS": format.hasAlpha = true
            case "IDAT": hasPixels = true
            case "IEND": return hasPixels && place == bytes.count ? format : nil
            default: break
            }
        }
        return nil
    }

    private static func jpeg(_ bytes: ByteReader) -> PictureFormat? {
        guard bytes.matches([0xFF, 0xD8, 0xFF], at: 0) else { return nil }
        var place = 2
        while bytes[place] == 0xFF, let marker = bytes[place + 1] {
            if marker == 0xFF {
                place += 1
                continue
            }
            guard let length = bytes.number(at: place + 2, bytes: 2), length >= 2 else { return nil }
            // The frame headers, without the tables DHT, JPG and DAC.
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                guard let height = bytes.number(at: place + 5, bytes: 2),
                    let width = bytes.number(at: place + 7, bytes: 2)
                else { return nil }
                return PictureFormat(type: "image/jpeg", width: width, height: height, hasAlpha: false)
            }
            // The pixels, or the end, come after the frame header.
            guard marker != 0xDA, marker != 0xD9 else { return nil }
            place += 2 + length
        }
        return nil
    }
}

/// Reads numbers and texts at places that the bytes may not have.
private struct ByteReader {
    private let bytes: Data

    init(_ bytes: Data) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    subscript(_ place: Int) -> UInt8? {
        place >= 0 && place < bytes.count ? bytes[bytes.startIndex + place] : nil
    }

    /// A number in network byte order.
    func number(at place: Int, bytes size: Int) -> Int? {
        (0..<size).reduce(0) { number, offset in
            guard let number, let byte = self[place + offset] else { return nil }
            return number << 8 | Int(byte)
        }
    }

    /// Four ASCII characters.
    func text(at place: Int) -> String? {
        let bytes = (0..<4).compactMap { self[place + $0] }
        return bytes.count == 4 ? String(decoding: bytes, as: UTF8.self) : nil
    }

    func matches(_ expected: [UInt8], at place: Int) -> Bool {
        expected.indices.allSatisfy { self[place + $0] == expected[$0] }
    }
}
