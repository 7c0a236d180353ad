// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AppReceipts

struct MalformedInputTests {
    @Test("A message over the limit is refused as too large") func messagesOverTheLimitAreNotRead() {
        let bytes = Data(repeating: 0x30, count: UnverifiedAppReceipt.defaultMaximumLength + 1)

        #expect(throws: AppReceiptError(.tooLarge, "")) { try UnverifiedAppReceipt(parsing: bytes) }
    }

    @Test(
        "Hostile bytes are malformed",
        arguments: [
            Data(), Data("not a receipt".utf8), Data(repeating: 0x30, count: 1000),
            // Thousands of levels of indefinite length.
            Data(repeating: 0x30, count: 20_000).reduce(into: Data()) { $0 += [$1, 0x80] },
            // A length of 2^64 - 1.
            Data([0x30, 0x88, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
        ])
    func hostileBytesAreMalformed(bytes: Data) {
        #expect(throws: AppReceiptError(.malformed, "")) { try UnverifiedAppReceipt(parsing: bytes) }
    }

    @Test("The error about a missing attribute names its type") func aMissingAttributeIsNamed() throws {
        let payload = try Self.payload { attributes in attributes.removeAll { $0.type == 12 } }

        let error = #expect(throws: AppReceiptError.self) { try AppReceipt(payload: payload) }
        #expect(error?.code == .missingAttribute)
        #expect(error?.message.contains("12") == true)
    }

    @Test("A duplicate attribute is refused") func anAttributeThatIsThereTwiceIsRefused() throws {
        let payload = try Self.payload { attributes in
            attributes.append(ReceiptAttribute(AppReceipt.Field.bundleIdentifier, utf8: "com.example.other"))
        }

        #expect(throws: AppReceiptError(.duplicateAttribute, "")) { try AppReceipt(payload: payload) }
    }

    @Test("A string that isn't UTF-8 is malformed") func aStringThatIsNotUTF8IsMalformed() throws {
        let payload = try Self.payload { attributes in
            attributes.removeAll { $0.type == 3 }
            attributes.append(ReceiptAttribute(AppReceipt.Field.applicationVersion, encoded: [0x0C, 0x01, 0xFF]))
        }

        #expect(throws: AppReceiptError(.malformed, "")) { try AppReceipt(payload: payload) }
    }

    @Test("An empty date is read as no date") func anEmptyDateMeansNone() throws {
        let payload = try Self.payload { attributes in
            attributes.append(ReceiptAttribute(AppReceipt.Field.expirationDate, encoded: [0x16, 0x00]))
        }

        #expect(try AppReceipt(payload: payload).expirationDate == nil)
    }

    private static func payload(_ change: (inout [ReceiptAttribute]) -> Void) throws -> ArraySlice<UInt8> {
        var reader = DERReader(try Fixtures.receipt().encodedPayload()[...])
        var attributes: [ReceiptAttribute] = []
        try reader.setOf { reader throws(AppReceiptError) in attributes.append(try ReceiptAttribute(reading: &reader)) }
        change(&attributes)
        return ReceiptAttribute.encode(attributes)[...]
    }
}
