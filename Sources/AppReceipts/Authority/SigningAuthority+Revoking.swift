// SPDX-License-Identifier: Apache-2.0

public import Foundation
import X509

extension SigningAuthority {
    /// Revokes a certificate that this authority issued: a leaf, an
    /// intermediate certificate or an OCSP delegate's. A certificate that is
    /// already revoked keeps its date and reason.
    ///
    /// - Parameters:
    ///   - serialNumber: The certificate's serial number.
    ///   - now: The date of the revocation.
    ///   - reason: The reason that OCSP responses and the revocation list
    ///     give.
    /// - Throws: ``AppReceiptError/Code/unknownCertificate`` if this
    ///   authority has issued no such certificate, or another
    ///   ``AppReceiptError`` if the index can't be written.
    public func revoke(
        _ serialNumber: SerialNumber, now: Date, reason: Revocation.Reason = .keyCompromise
    ) throws {
        try state.change { contents in
            guard issued(contents).contains(where: { $0.serialNumber == serialNumber }) else {
                throw AppReceiptError(
                    .unknownCertificate, "This authority has issued no certificate with the number \(serialNumber)")
            }
            guard !contents.index.revoked.contains(where: { $0.serialNumber == serialNumber }) else { return }
            contents.index.revoked.append(Revocation(serialNumber: serialNumber, date: now, reason: reason))
        }
    }

    /// The revocations, in the order in which they were made.
    ///
    /// - Throws: ``AppReceiptError`` if the authority's storage can't be
    ///   read any more.
    public var revocations: [Revocation] {
        get throws(AppReceiptError) { try state.current().index.revoked }
    }

    /// The serial numbers of the leaves that sign for an environment now, for
    /// receipts and for JWS.
    ///
    /// - Throws: ``AppReceiptError`` if the authority's storage can't be
    ///   read any more.
    public func leafSerialNumbers(
        of environment: Environment
    ) throws(AppReceiptError) -> (receipts: SerialNumber, jws: SerialNumber) {
        (
            try leaf(.receipts, for: environment.slot).serialNumber,
            try leaf(.jws, for: environment.slot).serialNumber
        )
    }

    /// The number of changes that were made to leaves and revocations.
    ///
    /// - Throws: ``AppReceiptError`` if the authority's storage can't be
    ///   read any more.
    package var revision: Int {
        get throws(AppReceiptError) { try state.current().index.revision }
    }

    /// Every certificate that was issued, with its issuer. The roots are not
    /// included.
    func issued(_ contents: AuthorityState.Contents) -> [Issued] {
        var issued: [Issued] = []
        for purpose in [LeafSlot.Purpose.receipts, .jws] {
            let chain = chain(purpose)
            issued += [chain.intermediate, chain.rootResponder].map { .init(issuer: chain.root, $0.serialNumber) }
            issued.append(.init(issuer: chain.intermediate, chain.intermediateResponder.serialNumber))
            for (slot, leaf) in contents.leaves where slot.purpose == purpose {
                issued.append(.init(issuer: chain.intermediate, leaf.serialNumber))
            }
            for retired in contents.index.retired where retired.slot.purpose == purpose {
                issued.append(.init(issuer: chain.intermediate, retired.serialNumber))
            }
        }
        return issued
    }

    /// The serial number of an issued certificate, and its issuer.
    struct Issued {
        var issuer: Member
        var serialNumber: SerialNumber

        init(issuer: Member, _ serialNumber: SerialNumber) {
            self.issuer = issuer
            self.serialNumber = serialNumber
        }
    }

    /// The organisation in a certificate's name, which a new leaf gets too.
    static func organization(of certificate: Certificate) -> String {
        for name in certificate.subject {
            for attribute in name where attribute.type == .RDNAttributeType.organizationName {
                return String(describing: attribute.value)
            }
        }
        return "OpenStoreKit"
    }
}
