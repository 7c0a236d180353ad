// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Testing

@testable import AppReceipts

/// A form is canonical if the encoder would write the same bytes. The reader
/// decides that while it reads; these tests compare its result with encoding
/// again, which takes too long elsewhere.
struct CanonicalFormTests {
    /// Contents with one deviation each from the form that the encoder
    /// writes.
    @Test("Contents in another form are read and aren't canonical", arguments: Deviation.allCases)
    func anotherFormOfTheContentsIsReadAndNoted(deviation: Deviation) throws {
        let receipt = Fixtures.fullReceipt
        let payload = try deviation.applied(to: receipt)
        var reader = DERReader(payload[...])

        let contents = try AppReceipt(reading: &reader)

        #expect(!reader.isCanonical)
        #expect(try contents.encodedPayload() != payload)
    }

    @Test(
        "Changed contents are canonical exactly if encoding them again gives the same bytes",
        arguments: UInt64(50)..<54)
    func changedContentsAreCanonicalIfEncodingThemAgainGivesThem(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let payload = try Fixtures.fullReceipt.encodedPayload()
        var read = 0
        var canonical = 0
        for number in 0..<5000 {
            if number.isMultiple(of: 100) { await Task.yield() }
            var changed = payload
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let place = Int.random(in: changed.indices, using: &random)
                switch Int.random(in: 0..<8, using: &random) {
                case 0: changed.remove(at: place)
                case 1: changed.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
                case 2...4: changed[place] = UInt8.random(in: .min ... .max, using: &random)
                default: changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                }
            }
            var reader = DERReader(changed[...])
            guard let contents = try? AppReceipt(reading: &reader), (try? reader.finish()) != nil else { continue }
            let again = try? contents.encodedPayload()
            try #require(reader.isCanonical == (again == changed), "change \(number) of seed \(seed)")
            read += 1
            if reader.isCanonical { canonical += 1 }
        }
        // Both kinds occur often enough for the comparison.
        #expect(canonical > 100)
        #expect(read - canonical > 100)
    }

    enum Deviation: CaseIterable {
        case order, version, stringType, dateType, fractionOfASecond, offset, emptyDate, emptyVersion, flag, length
        case indefiniteLength, parts, noOriginalIdentifier, noOriginalDate, purchaseOrder, purchaseVersion

        func applied(to receipt: AppReceipt) throws -> [UInt8] {
            var attributes = try Self.attributes(receipt.encodedPayload())
            guard let last = attributes.firstIndex(where: { $0.type == AppReceipt.Field.inAppPurchase.rawValue }) else {
                throw AppReceiptError(.missingAttribute, "There is no purchase")
            }
            var purchase = try Self.attributes(Array(attributes[last].value))
            func set(_ type: Int, _ bytes: [UInt8], in list: inout [ReceiptAttribute]) {
                for index in list.indices where list[index].type == type { list[index].value = bytes[...] }
            }
            func ascii(_ tag: DERTag, _ text: String) -> [UInt8] {
                var writer = DERWriter()
                writer.primitive(tag, text.utf8)
                return writer.bytes
            }
            switch self {
            case .order: return Self.set(attributes.reversed())
            case .version: attributes[last].version = 2
            case .stringType: set(3, ascii(.ia5String, "1.2"), in: &attributes)
            case .dateType: set(12, ascii(.utf8String, "2026-03-01T12:00:00Z"), in: &attributes)
            case .fractionOfASecond: set(12, ascii(.ia5String, "2026-03-01T12:00:00.0Z"), in: &attributes)
            case .offset: set(12, ascii(.ia5String, "2026-03-01T12:00:00+0000"), in: &attributes)
            case .emptyDate: set(21, [0x16, 0x00], in: &attributes)
            case .emptyVersion: set(19, [0x0C, 0x00], in: &attributes)
            case .flag: set(1713, [0x02, 0x01, 0x02], in: &purchase)
            case .length: set(1, [0x02, 0x81, 0x01, 0x05], in: &attributes)
            case .indefiniteLength: return [0x31, 0x80] + Self.elements(attributes) + [0x00, 0x00]
            case .parts: set(3, [0x2C, 0x05, 0x04, 0x03] + Array("1.2".utf8), in: &attributes)
            case .noOriginalIdentifier: purchase.removeAll { $0.type == 1705 }
            case .noOriginalDate: purchase.removeAll { $0.type == 1706 }
            case .purchaseOrder:
                attributes[last].value = Self.set(purchase.reversed())[...]
                return ReceiptAttribute.encode(attributes)
            case .purchaseVersion:
                for index in purchase.indices where purchase[index].type == 1701 { purchase[index].version = 0 }
            }
            attributes[last].value = ReceiptAttribute.encode(purchase)[...]
            return ReceiptAttribute.encode(attributes)
        }

        private static func attributes(_ bytes: [UInt8]) throws -> [ReceiptAttribute] {
            var reader = DERReader(bytes[...])
            var attributes: [ReceiptAttribute] = []
            try reader.setOf { reader throws(AppReceiptError) in
                attributes.append(try ReceiptAttribute(reading: &reader))
            }
            return attributes
        }

        /// A SET of the attributes in the given order.
        private static func set(_ attributes: [ReceiptAttribute]) -> [UInt8] {
            var writer = DERWriter()
            writer.primitive(.set, elements(attributes))
            return writer.bytes
        }

        private static func elements(_ attributes: [ReceiptAttribute]) -> [UInt8] {
            var writer = DERWriter()
            for attribute in attributes { attribute.write(to: &writer) }
            return writer.bytes
        }
    }
}
