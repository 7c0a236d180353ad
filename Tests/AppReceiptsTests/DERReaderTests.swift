// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AppReceipts

/// The rules of X.690, each with encodings that break it.
struct DERReaderTests {
    @Test("DERReader reads the elements that DERWriter writes") func readsWhatTheWriterWrites() throws {
        var writer = DERWriter()
        writer.constructed(.sequence) { writer in
            writer.integer(-129)
            writer.primitive(.utf8String, "果".utf8)
            writer.constructed(.context(3)) { $0.primitive(.octetString, [UInt8](repeating: 7, count: 300)) }
            writer.positiveInteger([0x80, 0x00])
            writer.setOf([[5], [3, 3], [3]]) { $1.primitive(.octetString, $0) }
        }
        var reader = DERReader(writer.bytes[...])
        var elements: [[UInt8]] = []

        try reader.constructed(.sequence) { reader throws(AppReceiptError) in
            #expect(try reader.integer() == -129)
            #expect(try Array(reader.octets(.utf8String)) == Array("果".utf8))
            try reader.constructed(.context(3)) { reader throws(AppReceiptError) in
                #expect(try reader.octets(.octetString).count == 300)
            }
            #expect(try reader.positiveInteger() == [0x80, 0x00])
            try reader.setOf { reader throws(AppReceiptError) in
                elements.append(Array(try reader.octets(.octetString)))
            }
        }
        try reader.finish()

        #expect(elements == [[3], [5], [3, 3]])
        #expect(reader.isCanonical)
    }

    @Test(
        "A string that only BER allows is read and isn't canonical",
        arguments: [
            // 8.1.3 and 10.1: a length in more octets than it needs.
            [0x04, 0x81, 0x01, 0x41], [0x04, 0x82, 0x00, 0x01, 0x41], [0x04, 0x88, 0, 0, 0, 0, 0, 0, 0, 1, 0x41],
            // 10.2 and 8.7.3: a string in parts, in definite and indefinite length.
            [0x24, 0x03, 0x04, 0x01, 0x41], [0x24, 0x80, 0x04, 0x01, 0x41, 0x00, 0x00],
            [0x24, 0x80, 0x04, 0x00, 0x24, 0x80, 0x04, 0x01, 0x41, 0x00, 0x00, 0x00, 0x00],
        ] as [[UInt8]])
    func aStringThatOnlyBERAllowsIsReadAndNoted(bytes: [UInt8]) throws {
        var reader = DERReader(bytes[...])

        #expect(try reader.octets(.octetString) == [0x41])
        try reader.finish()
        #expect(!reader.isCanonical)
    }

    @Test(
        "A length is canonical in the fewest octets, and isn't with one more",
        arguments: [127, 128, 255, 256, 65_535, 65_536])
    func aLengthInTheFewestOctetsIsCanonical(count: Int) throws {
        var writer = DERWriter()
        writer.primitive(.octetString, [UInt8](repeating: 1, count: count))
        var reader = DERReader(writer.bytes[...])

        #expect(try reader.octets(.octetString).count == count)
        #expect(reader.isCanonical)
        // With one octet more for the length, the form isn't canonical.
        let octets = writer.bytes.count - count - 1
        let length = octets == 1 ? [0x81, UInt8(count)] : [0x80 | UInt8(octets), 0] + writer.bytes[2...octets]
        var longer = DERReader(([0x04] + length + [UInt8](repeating: 1, count: count))[...])
        #expect(try longer.octets(.octetString).count == count)
        #expect(!longer.isCanonical)
    }

    @Test("Contents of indefinite length are read and aren't canonical")
    func contentsOfIndefiniteLengthAreReadAndNoted() throws {
        // 10.1: DER has definite lengths only.
        var reader = DERReader([0x30, 0x80, 0x02, 0x01, 0x05, 0x30, 0x80, 0x00, 0x00, 0x00, 0x00][...])

        try reader.constructed(.sequence) { reader throws(AppReceiptError) in
            #expect(try reader.integer() == 5)
            #expect(try reader.element() == [0x30, 0x80, 0x00, 0x00])
        }
        try reader.finish()
        #expect(!reader.isCanonical)
    }

    @Test(
        "A set is canonical only if its elements are in ascending order",
        arguments: [
            // 11.6: in ascending order, those that are equal beside one another.
            ([[1], [2], [3]], true), ([[1], [1]], true), ([[9], [0, 0]], true), ([], true),
            ([[2], [1]], false), ([[1], [2], [1]], false), ([[0, 0], [9]], false),
        ] as [([[UInt8]], Bool)])
    func theOrderOfASetIsNoted(elements: [[UInt8]], isCanonical: Bool) throws {
        var writer = DERWriter()
        writer.constructed(.set) { writer in
            for element in elements { writer.primitive(.octetString, element) }
        }
        var reader = DERReader(writer.bytes[...])
        var read: [[UInt8]] = []

        try reader.setOf { reader throws(AppReceiptError) in read.append(Array(try reader.octets(.octetString))) }

        #expect(read == elements)
        #expect(reader.isCanonical == isCanonical)
    }

    @Test(
        "Integers are read and written in two's complement",
        arguments: [
            ([0x00], 0), ([0x7F], 127), ([0x00, 0x80], 128), ([0x80], -128), ([0xFF], -1), ([0xFF, 0x7F], -129),
            ([0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .max), ([0x80, 0, 0, 0, 0, 0, 0, 0], .min),
        ] as [([UInt8], Int64)])
    func integersAreOfTwosComplement(octets: [UInt8], value: Int64) throws {
        var reader = DERReader(([0x02, UInt8(octets.count)] + octets)[...])
        var writer = DERWriter()
        writer.integer(value)

        #expect(try reader.integer() == value)
        #expect(writer.bytes.dropFirst(2).elementsEqual(octets))
    }

    @Test(
        "Bytes that aren't an integer of 64 bits are malformed",
        arguments: [
            // 8.3.1 and 8.3.2: at least one octet, and no superfluous one. That is a rule of BER, too.
            [0x02, 0x00], [0x02, 0x02, 0x00, 0x7F], [0x02, 0x02, 0xFF, 0x80], [0x02, 0x02, 0x00, 0x00],
            // More than 64 bits.
            [0x02, 0x09, 0x01, 0, 0, 0, 0, 0, 0, 0, 0],
            // An integer in parts, one of indefinite length, another tag, no octets.
            [0x22, 0x03, 0x02, 0x01, 0x01], [0x02, 0x80, 0x01, 0x00, 0x00], [0x03, 0x01, 0x01], [],
        ] as [[UInt8]])
    func whatIsNoIntegerIsMalformed(bytes: [UInt8]) {
        #expect(throws: AppReceiptError(.malformed, "")) {
            var reader = DERReader(bytes[...])
            _ = try reader.integer()
        }
    }

    @Test("A positive integer has no sign octet, and a negative one is malformed")
    func aNumberWithoutASignHasNone() throws {
        var zero = DERReader([0x02, 0x01, 0x00][...])
        var high = DERReader([0x02, 0x02, 0x00, 0x80][...])

        #expect(try zero.positiveInteger() == [])
        #expect(try high.positiveInteger() == [0x80])
        #expect(throws: AppReceiptError(.malformed, "")) {
            var negative = DERReader([0x02, 0x01, 0x80][...])
            _ = try negative.positiveInteger()
        }
        var writer = DERWriter()
        writer.positiveInteger([])
        #expect(writer.bytes == [0x02, 0x01, 0x00])
    }

    @Test(
        "Bytes that aren't a complete octet string are malformed",
        arguments: [
            // No length, a length without its octets, one beyond the end, one of 2^64 - 1, of nine octets.
            [0x04], [0x04, 0x82, 0x01], [0x04, 0x02, 0x00], [0x04, 0x81, 0x80, 0x00],
            [0x04, 0x88, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x04, 0x89, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            // 8.1.3.2: an indefinite length needs the constructed form, and two zeros at its end.
            [0x04, 0x80, 0x00, 0x00], [0x24, 0x80, 0x04, 0x00], [0x24, 0x80, 0x04, 0x00, 0x00],
            // Parts of another type, beyond the string's end, and the end-of-contents where nothing ends.
            [0x24, 0x02, 0x0C, 0x00], [0x24, 0x03, 0x04, 0x02, 0x41, 0x41], [0x24, 0x02, 0x00, 0x00], [0x00, 0x00],
        ] as [[UInt8]])
    func whatIsNoStringIsMalformed(bytes: [UInt8]) {
        #expect(throws: AppReceiptError(.malformed, "")) {
            var reader = DERReader(bytes[...])
            _ = try reader.octets(.octetString)
        }
    }

    @Test(
        "Elements that don't fit into their container are malformed",
        arguments: [
            // An element longer than its container, contents shorter than their
            // length, a tag of several octets, end-of-contents octets without
            // an indefinite length, and indefinite lengths without end.
            [0x30, 0x02, 0x04, 0x01], [0x30, 0x05, 0x04, 0x00], [0x30, 0x03, 0x1F, 0x1F, 0x00],
            [0x30, 0x02, 0x00, 0x00],
            [0x30, 0x80, 0x04, 0x00], [0x30, 0x80], [0x30, 0x04, 0x30, 0x80, 0x04, 0x00, 0x00, 0x00],
        ] as [[UInt8]])
    func elementsThatDoNotFitTogetherAreMalformed(bytes: [UInt8]) {
        #expect(throws: AppReceiptError(.malformed, "")) {
            var reader = DERReader(bytes[...])
            try reader.constructed(.sequence) { reader throws(AppReceiptError) in
                while !reader.isAtEnd { _ = try reader.element() }
            }
            try reader.finish()
        }
    }

    @Test("An element that is left unread in a sequence is an error") func whatIsLeftUnreadIsAnError() {
        #expect(throws: AppReceiptError(.malformed, "")) {
            var reader = DERReader([0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01][...])
            try reader.constructed(.sequence) { reader throws(AppReceiptError) in _ = try reader.integer() }
        }
    }

    @Test("Fifty levels of nesting are read, and more are malformed") func depthHasALimit() throws {
        func nested(_ depth: Int, _ start: [UInt8]) -> [UInt8] {
            Array(repeating: start, count: depth).flatMap { $0 } + [UInt8](repeating: 0, count: 2 * depth)
        }
        var fifty = DERReader(nested(50, [0x30, 0x80])[...])
        #expect(try fifty.element().count == 200)
        for depth in [51, 1_000_000] {
            #expect(throws: AppReceiptError(.malformed, "")) {
                var reader = DERReader(nested(depth, [0x30, 0x80])[...])
                _ = try reader.element()
            }
            #expect(throws: AppReceiptError(.malformed, "")) {
                var reader = DERReader(nested(depth, [0x24, 0x80])[...])
                _ = try reader.octets(.octetString)
            }
        }
    }
}
