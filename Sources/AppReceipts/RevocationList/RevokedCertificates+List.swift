// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SwiftASN1
import X509

extension RevokedCertificates {
    /// Reads a revocation list, DER or PEM.
    ///
    /// This doesn't check whether the list is current. The entries of an old
    /// list are still valid.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - issuers: The issuers' certificates, each as DER. One of them has
    ///     to have signed the list.
    /// - Throws: ``AppReceiptError/Code/malformed`` if it can't be read or
    ///   isn't signed by any of the issuers.
    public init(list: Data, signedByOneOf issuers: [Data]) throws(AppReceiptError) {
        do {
            let bytes =
                list.first == 0x30
                ? [UInt8](list) : try PEMDocument(pemString: String(decoding: list, as: UTF8.self)).derBytes
            let list = try CertificateList(parsing: bytes)
            let isSigned = try issuers.contains { issuer in
                let key = try Certificate(derEncoded: Array(issuer)).publicKey
                return ChainKind.all.contains { kind in
                    list.signatureAlgorithm == .certificateSignature(kind)
                        && key.isValidSignature(
                            list.signature, for: list.tbsBytes, signatureAlgorithm: kind.signatureAlgorithm)
                }
            }
            guard isSigned else {
                throw AppReceiptError(.malformed, "The revocation list is not signed by any of its issuers")
            }
            self.init(try Self.serialNumbers(in: list.tbsBytes))
        } catch let error as AppReceiptError {
            throw error
        } catch {
            throw AppReceiptError(.malformed, "Not a revocation list: \(error)")
        }
    }

    /// The numbers of `revokedCertificates`: the third sequence, after the
    /// algorithm and the issuer. The version and the time of the next list,
    /// which aren't sequences, may be missing.
    static func serialNumbers(in list: ArraySlice<UInt8>) throws -> [SerialNumber] {
        try DER.sequence(DER.parse(list), identifier: .sequence) { nodes in
            var numbers: [SerialNumber] = []
            var sequences = 0
            while let node = nodes.next() {
                guard node.identifier == .sequence else { continue }
                sequences += 1
                guard sequences > 2 else { continue }
                for entry in try node.children(.sequence) {
                    guard let number = try entry.children(.sequence).first else { continue }
                    numbers.append(SerialNumber(bytes: try ArraySlice<UInt8>(derEncoded: number)))
                }
            }
            guard sequences >= 2 else { throw AppReceiptError(.malformed, "The revocation list has no issuer") }
            return numbers
        }
    }
}
