// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SwiftASN1

extension SigningAuthority {
    /// The time for which a revocation list is current, in seconds: a day.
    public static let revocationListLifetime: TimeInterval = 86_400

    /// The revocation list of an issuer.
    ///
    /// - Parameters:
    ///   - issuer: A name of ``issuingCertificates``, such as `jws-root`.
    ///   - now: The date of the list.
    /// - Returns: The list as DER, or nil if there is no such issuer.
    /// - Throws: ``AppReceiptError`` if the authority's storage can't be
    ///   read any more, or an error of the cryptographic library.
    public func revocationList(of issuer: String, now: Date) throws -> Data? {
        for chain in [receipts, jws] {
            for (name, member) in [("root", chain.root), ("intermediate", chain.intermediate)]
            where chain.kind.prefix + name == issuer {
                return try revocationList(of: member, chain.kind, now: now)
            }
        }
        return nil
    }

    private func revocationList(of issuer: Member, _ kind: ChainKind, now: Date) throws -> Data {
        let contents = try state.current()
        let numbers = Set(issued(contents).filter { $0.issuer.der == issuer.der }.map(\.serialNumber))
        let list = TBSCertList(
            signatureAlgorithm: .certificateSignature(kind), issuer: issuer.certificate, thisUpdate: now,
            nextUpdate: now.addingTimeInterval(Self.revocationListLifetime),
            revocations: contents.index.revoked.filter { numbers.contains($0.serialNumber) },
            // The number has to increase from list to list. The time does,
            // also when several processes make lists, unless the clock is set
            // back.
            number: Int64(max(0, now.timeIntervalSince1970 * 1000)))
        var coder = DER.Serializer()
        try coder.serialize(CertificateList(list, signedBy: issuer, as: kind))
        return Data(coder.serializedBytes)
    }
}
