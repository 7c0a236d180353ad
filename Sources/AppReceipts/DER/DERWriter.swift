// SPDX-License-Identifier: Apache-2.0

/// Writes DER, which has one encoding for each value (X.690, 10 and 11).
struct DERWriter {
    /// The bytes written so far.
    private(set) var bytes: [UInt8] = []

    /// The bytes that a closure writes.
    static func bytes(_ write: (inout DERWriter) throws(AppReceiptError) -> Void) throws(AppReceiptError) -> [UInt8] {
        var writer = DERWriter()
        try write(&writer)
        return writer.bytes
    }

    /// An element with these contents.
    mutating func primitive(_ tag: DERTag, _ contents: some Collection<UInt8>) {
        bytes.append(tag.octet)
        bytes.append(contentsOf: Self.length(contents.count))
        bytes.append(contentsOf: contents)
    }

    /// An element whose contents the closure writes.
    mutating func constructed<Failure: Error>(
        _ tag: DERTag, _ write: (inout DERWriter) throws(Failure) -> Void
    ) throws(Failure) {
        // One octet is reserved for the length. A length that takes more
        // octets moves the contents.
        bytes.append(contentsOf: [tag.octet, 0])
        let start = bytes.count
        try write(&self)
        bytes.replaceSubrange(start - 1..<start, with: Self.length(bytes.count - start))
    }

    /// A SET OF the elements that the closure writes, in ascending order
    /// (X.690, 11.6).
    mutating func setOf<Element>(_ elements: [Element], _ write: (Element, inout DERWriter) -> Void) {
        var writer = DERWriter()
        var places: [Range<Int>] = []
        places.reserveCapacity(elements.count)
        for element in elements {
            let start = writer.bytes.count
            write(element, &writer)
            places.append(start..<writer.bytes.count)
        }
        let written = writer.bytes
        places.sort { written[$0].lexicographicallyPrecedes(written[$1]) }
        constructed(.set) { set in
            set.bytes.reserveCapacity(set.bytes.count + written.count + 8)
            for place in places { set.element(written[place]) }
        }
    }

    /// An element that is already encoded.
    mutating func element(_ element: some Collection<UInt8>) {
        bytes.append(contentsOf: element)
    }

    mutating func integer(_ value: Int64) {
        var octets = (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }[...]
        // The first octet is redundant if it and the next octet's highest bit
        // are all zeros or all ones (X.690, 8.3.2).
        while octets.count > 1, octets.first == (octets[octets.startIndex + 1] < 0x80 ? 0x00 : 0xFF) {
            octets.removeFirst()
        }
        primitive(.integer, octets)
    }

    /// A positive integer of any length, by its octets without a leading zero.
    mutating func positiveInteger(_ octets: some Collection<UInt8>) {
        let needsZero = octets.first.map { $0 >= 0x80 } ?? true
        primitive(.integer, (needsZero ? [0] : []) + octets)
    }

    /// The octets of a length (X.690, 10.1).
    private static func length(_ length: Int) -> [UInt8] {
        guard length >= 0x80 else { return [UInt8(length)] }
        let octets = (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) }.drop { $0 == 0 }
        return [0x80 | UInt8(octets.count)] + octets
    }
}
