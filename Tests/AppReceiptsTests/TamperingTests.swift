// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AppReceipts

struct TamperingTests {
    private static let signed: Data = {
        do {
            return try Fixtures.authority.sign(Fixtures.fullReceipt)
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    /// All offsets, in parts that run beside one another, with another one of
    /// the eight bits at each.
    @Test(arguments: 0..<4)
    func aChangedByteIsNeverAccepted(part: Int) {
        let verifier = Fixtures.authority.verifier
        let original = Self.signed
        #expect(verifier.accepts(original))

        for offset in stride(from: part, to: original.count, by: 4) {
            var changed = original
            changed[offset] ^= 1 << (offset / 4 % 8)
            #expect(!verifier.accepts(changed), "byte \(offset)")
        }
    }

    @Test func aCutReceiptIsNeverAccepted() {
        let verifier = Fixtures.authority.verifier
        for length in 0..<Self.signed.count {
            #expect(throws: AppReceiptError.self, "cut to \(length) bytes") {
                try verifier.verify(Self.signed.prefix(length), expecting: .any)
            }
        }
    }

    @Test func bytesBehindTheReceiptAreNotAccepted() {
        #expect(throws: AppReceiptError(.malformed, "")) {
            try Fixtures.authority.verifier.verify(Self.signed + [0], expecting: .any)
        }
    }

    @Test func aSliceOfDataIsReadFromItsOwnStart() throws {
        let embedded = Data([1, 2, 3]) + Self.signed

        let verdict = try Fixtures.authority.verifier.verify(embedded.dropFirst(3), expecting: .any)

        #expect(verdict.verifiedContents == Fixtures.fullReceipt)
    }
}
