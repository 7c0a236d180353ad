// SPDX-License-Identifier: Apache-2.0

import CoreFoundation
import Foundation
import Testing
import X509

@testable import AppReceipts

// The compiler attributes `timespec` to the first of these modules that it has loaded.
/// Limits on the time and the memory that hostile input can take.
struct HostileSizeTests {
    @Test("A receipt with too many certificates or digest algorithms is refused as too large")
    func moreCertificatesThanAReceiptHasAreRefused() throws {
        let signed = try UnverifiedAppReceipt(parsing: Fixtures.authority.sign(Fixtures.receipt())).signedData
        var message = signed
        message.certificates = Array(repeating: [0x05, 0x00], count: 1_000_000)

        #expect(throws: AppReceiptError(.tooLarge, "")) { try UnverifiedAppReceipt(parsing: Data(message.encoded)) }
        message = signed
        message.digestAlgorithms = Array(repeating: .sha256, count: 1000)
        #expect(throws: AppReceiptError(.tooLarge, "")) { try UnverifiedAppReceipt(parsing: Data(message.encoded)) }
    }

    @Test("A receipt or a purchase with too many attributes is refused as too large")
    func moreAttributesThanAReceiptHasAreRefused() throws {
        func attributes(_ count: Int) -> ArraySlice<UInt8> {
            ReceiptAttribute.encode(
                Array(repeating: ReceiptAttribute(AppReceipt.Field.opaqueValue, encoded: []), count: count))[...]
        }

        #expect(throws: AppReceiptError(.tooLarge, "")) { try AppReceipt(payload: attributes(50_001)) }
        #expect(throws: AppReceiptError(.missingAttribute, "")) { try AppReceipt(payload: attributes(50_000)) }
        #expect(throws: AppReceiptError(.tooLarge, "")) {
            var reader = DERReader(attributes(251))
            _ = try InAppPurchase(reading: &reader)
        }
    }

    /// X509's parser takes about a hundred bytes of memory for each node.
    @Test("A certificate of a million nodes is refused without parsing it")
    func aCertificateOfMoreNodesThanOneHasIsNotParsed() throws {
        // SEQUENCE of a million NULLs.
        var writer = DERWriter()
        writer.primitive(.sequence, (0..<2_000_000).map { $0 % 2 == 0 ? 0x05 : 0x00 })
        let nulls = writer.bytes
        var message = try UnverifiedAppReceipt(parsing: Fixtures.authority.sign(Fixtures.receipt())).signedData
        message.certificates[0] = nulls[...]

        #expect(throws: AppReceiptError(.tooLarge, "")) { try Certificate(untrusted: nulls[...]) }
        for profile in [VerificationProfile.strict, .lenient] {
            let verifier = AppReceiptVerifier(roots: [Fixtures.authority.rootCertificate], profile: profile)
            #expect(try verifier.verify(Data(message.encoded), expecting: .any).refusalCodes.contains(.brokenChain))
        }
    }

    @Test(
        "The count of nodes ends at the last byte of a message that is cut off",
        arguments: [
            [0x30], [0x30, 0x84], [0x30, 0x84, 0xFF], [0x1F], [0x1F, 0x80], [0x1F, 0x80, 0x80],
            [0x04, 0x88, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x04, 0xFF] + [UInt8](repeating: 0xFF, count: 127),
        ] as [[UInt8]])
    func countingNodesEndsWhereTheBytesEnd(bytes: [UInt8]) {
        #expect(throws: Never.self) { try NodeLimit.check(bytes[...]) }
        #expect(throws: AppReceiptError(.malformed, "")) { try UnverifiedAppReceipt(parsing: Data(bytes)) }
    }

    @Test("A receipt with 3,000 purchases is read and verified") func aLargeReceiptIsReadAndVerified() throws {
        let receipt = Fixtures.receipt(purchases: (0..<3000).map { Fixtures.purchase($0) })

        #expect(Fixtures.authority.verifier.accepts(try Fixtures.authority.sign(receipt)))
    }

    /// Sixteen times the input takes at most forty times the processor time
    /// of this thread. Linear growth stays well below that; quadratic growth
    /// would take 256 times as long.
    @Test(
        "The parsing time grows no faster than 40-fold for sixteen times the input",
        arguments: ["nested", "members", "strings", "entries", "attributes", "purchases", "base64"])
    func timeGrowsWithTheLength(shape: String) throws {
        func time(_ count: Int) throws -> Int {
            let input = try Self.input(shape, count: count)
            return try (0..<3).map { _ in
                let start = Self.timeOfThread()
                switch shape {
                case "attributes", "purchases": _ = try AppReceipt(payload: input[...])
                case "base64": _ = Base64.standard.decode(input)
                case "entries": _ = try StringPropertyList(parsing: input)
                default: _ = try JSONValue(parsing: input)
                }
                return Self.timeOfThread() - start
            }.min() ?? 0
        }

        let (short, long) = (try time(500), try time(8000))
        #expect(long < short * 40, "\(shape): \(short) and \(long) ns")
    }

    /// The processor time of this thread, in nanoseconds.
    private static func timeOfThread() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    private static func input(_ shape: String, count: Int) throws -> [UInt8] {
        switch shape {
        case "nested":
            let one = String(repeating: "[", count: 20) + String(repeating: "]", count: 20)
            return Array("[\(Array(repeating: one, count: count / 10).joined(separator: ","))]".utf8)
        case "members": return Array("{\((0..<count).map { "\"key\($0)\":\($0)" }.joined(separator: ","))}".utf8)
        case "strings": return Array("\"\(String(repeating: "\\u00e9a", count: count))\"".utf8)
        case "entries": return Array("{\((0..<count).map { "\"key\($0)\" = \"\\\"\";" }.joined())}".utf8)
        case "base64": return Array(String(repeating: "AAAA", count: count * 10).utf8)
        case "purchases":
            return try Fixtures.receipt(purchases: (0..<count).map { Fixtures.purchase($0) }).encodedPayload()
        default:
            return try Fixtures.receipt(
                unknown: (0..<count).map { UnknownAttribute(type: 10_000 + $0, value: Data([1])) }
            ).encodedPayload()
        }
    }
}
