// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Testing

struct TrustRootsTests {
    @Test("TrustRoots reads a certificate in DER") func readsDER() throws {
        let root = Fixtures.authority.rootCertificate

        #expect(try TrustRoots(pemOrDER: root).certificates == [root])
    }

    @Test("TrustRoots reads several certificates in PEM, and a verifier trusts each") func readsSeveralInPEM() throws {
        let (first, second) = (Fixtures.authority, Fixtures.otherAuthority)

        let roots = try TrustRoots(pemOrDER: Data((first.rootCertificatePEM + second.rootCertificatePEM).utf8))

        #expect(roots.certificates == [first.rootCertificate, second.rootCertificate])
        let verifier = AppReceiptVerifier(trusting: roots)
        #expect(verifier.accepts(try first.sign(Fixtures.receipt())))
        #expect(verifier.accepts(try second.sign(Fixtures.receipt())))
    }

    @Test(
        "TrustRoots refuses bytes that aren't a certificate",
        arguments: [
            Data(), Data("nothing".utf8), Data([0x30, 0x00]),
            Data("-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n".utf8),
        ])
    func refusesWhatIsNoCertificate(bytes: Data) {
        let error = #expect(throws: AppReceiptError.self) { try TrustRoots(pemOrDER: bytes) }
        #expect(error?.code == .unreadableCertificate)
    }
}
