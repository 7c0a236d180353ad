// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1
import Testing

@testable import AppReceipts

struct RevocationListTests {
    @Test("A list without a version or the time of the next one revokes every certificate that it names")
    func optionalFields() throws {
        let number = SerialNumber(bytes: [0x12, 0x34])
        for hasVersion in [false, true] {
            for hasNextUpdate in [false, true] {
                var coder = DER.Serializer()
                try coder.appendConstructedNode(identifier: .sequence) { coder in
                    if hasVersion { try coder.serialize(1) }
                    try coder.serialize(AlgorithmIdentifier.certificateSignature(.receipts))
                    coder.appendConstructedNode(identifier: .sequence) { _ in }
                    try coder.appendTime(Date(timeIntervalSince1970: 1_700_000_000))
                    if hasNextUpdate { try coder.appendTime(Date(timeIntervalSince1970: 1_700_086_400)) }
                    try coder.appendConstructedNode(identifier: .sequence) { coder in
                        let revocation = Revocation(serialNumber: number, date: Date(), reason: .superseded)
                        try coder.serialize(RevokedCertificate(revocation))
                    }
                }

                let read = try RevokedCertificates.serialNumbers(in: coder.serializedBytes[...])

                #expect(read == [number], "version: \(hasVersion), next update: \(hasNextUpdate)")
            }
        }
    }

    @Test("A list that ends before its issuer is refused")
    func cutOff() throws {
        var coder = DER.Serializer()
        try coder.appendConstructedNode(identifier: .sequence) { try $0.serialize(1) }
        #expect(throws: AppReceiptError(.malformed, "")) {
            try RevokedCertificates.serialNumbers(in: coder.serializedBytes[...])
        }
    }
}
