// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SwiftASN1
import X509

/// The root certificates that a verifier trusts.
public struct TrustRoots: Sendable, Hashable {
    /// The certificates, each as DER.
    public let certificates: [Data]

    /// Reads a file of root certificates: one in DER, or any number in PEM.
    ///
    /// - Parameter pemOrDER: The file's bytes.
    /// - Throws: ``AppReceiptError/Code/unreadableCertificate`` if there is
    ///   none, or one can't be read.
    public init(pemOrDER: Data) throws(AppReceiptError) {
        do {
            if pemOrDER.first == 0x30 {
                _ = try Certificate(derEncoded: [UInt8](pemOrDER))
                certificates = [pemOrDER]
            } else {
                let documents = try PEMDocument.parseMultiple(pemString: String(decoding: pemOrDER, as: UTF8.self))
                certificates = try documents.map { document in
                    _ = try Certificate(pemDocument: document)
                    return Data(document.derBytes)
                }
            }
        } catch {
            throw AppReceiptError(.unreadableCertificate, "Not a certificate in DER or PEM: \(error)")
        }
        guard !certificates.isEmpty else {
            throw AppReceiptError(.unreadableCertificate, "There is no certificate")
        }
    }
}
