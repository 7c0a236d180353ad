// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AppReceipts

/// Changes every bit of an app receipt, and cuts a receipt to every length.
struct TamperingTests {
    private static let parts = 2

    private static let signed: Data = {
        do {
            return try Fixtures.authority.sign(Fixtures.fullReceipt)
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    /// The part that a byte belongs to: it decides why a change is refused.
    private enum Place {
        /// Signed by the leaf.
        case contents
        /// The leaf's signature.
        case signature
        /// Signed by its issuer.
        case certificate
        /// The root, which is compared with the trusted one.
        case root
        /// Covered by no signature: only the canonical form is accepted.
        case message
    }

    private static func places() throws -> [Place] {
        let receipt = try UnverifiedAppReceipt(parsing: signed)
        var places = [Place](repeating: .message, count: signed.count)
        func mark(_ bytes: some Collection<UInt8>, _ place: Place) throws {
            let range = try #require(signed.range(of: Data(bytes)))
            for index in range { places[index] = place }
        }
        try mark(receipt.signedData.content.content, .contents)
        try mark(receipt.signedData.signerInfo.signature, .signature)
        for certificate in receipt.certificates.dropLast() { try mark(certificate, .certificate) }
        try mark(try #require(receipt.certificates.last), .root)
        return places
    }

    /// Split into parts that run in parallel.
    @Test("A changed bit is refused for the reason of its place", arguments: 0..<parts)
    func aChangedBitIsRefusedForItsReason(part: Int) async throws {
        let verifier = Fixtures.authority.verifier
        let places = try Self.places()
        #expect(verifier.accepts(Self.signed))

        var changed = Self.signed
        for offset in stride(from: part, to: changed.count, by: Self.parts) {
            // There are many changes; other tests can run between them.
            await Task.yield()
            for bit in 0..<8 {
                changed[offset] ^= 1 << bit
                let codes = Result { () throws(AppReceiptError) in
                    try verifier.verify(changed, expecting: .any).refusalCodes
                }
                changed[offset] ^= 1 << bit
                #expect(
                    Self.isRight(codes, places[offset]), "bit \(bit) of byte \(offset), \(places[offset]): \(codes)")
            }
        }
    }

    private static func isRight(
        _ result: Result<Set<AppReceiptVerifier.Refusal.Code>, AppReceiptError>, _ place: Place
    ) -> Bool {
        switch (result, place) {
        case (.success(let codes), .contents): codes.contains(.wrongSignature)
        case (.success(let codes), .signature): codes == [.wrongSignature]
        case (.success(let codes), .certificate): codes.contains(.brokenChain)
        case (.success(let codes), .root): !codes.isDisjoint(with: [.untrustedRoot, .brokenChain])
        // A changed length moves the parts after it.
        case (.success(let codes), .message): !codes.isDisjoint(with: [.notCanonical, .brokenChain])
        // Other changes may leave no receipt; the bits of a signature can have any values.
        case (.failure, let place): place != .signature
        }
    }

    @Test("A receipt that is cut at any length is malformed") func aCutReceiptIsNoReceipt() {
        let verifier = Fixtures.authority.verifier
        for length in 0..<Self.signed.count {
            #expect(throws: AppReceiptError(.malformed, ""), "cut to \(length) bytes") {
                try verifier.verify(Self.signed.prefix(length), expecting: .any)
            }
        }
    }

    @Test("A receipt with a byte behind it is malformed") func bytesBehindTheReceiptAreNotAccepted() {
        #expect(throws: AppReceiptError(.malformed, "")) {
            try Fixtures.authority.verifier.verify(Self.signed + [0], expecting: .any)
        }
    }

    @Test("A slice of Data is read from its own start") func aSliceOfDataIsReadFromItsOwnStart() throws {
        let embedded = Data([1, 2, 3]) + Self.signed

        let verdict = try Fixtures.authority.verifier.verify(embedded.dropFirst(3), expecting: .any)

        #expect(verdict.verifiedContents == Fixtures.fullReceipt)
    }
}
