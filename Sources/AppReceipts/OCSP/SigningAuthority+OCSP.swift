// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SwiftASN1
import X509

extension SigningAuthority {
    /// The time for which an OCSP response may be kept, in seconds: an hour.
    public static let ocspAnswerLifetime: TimeInterval = 3600

    /// Answers an OCSP request about certificates of this authority (RFC 6960).
    ///
    /// The delegate of the first certificate's issuer signs the response.
    /// Certificates of another issuer get the status `unknown`.
    ///
    /// - Parameters:
    ///   - request: The request as DER.
    ///   - now: The date of the response.
    /// - Returns: The response as DER. A request that can't be read, or that
    ///   is about another authority's certificates, gets an error response.
    public func answerOCSP(_ request: Data, now: Date) -> Data {
        let response: OCSPResponse
        do {
            let request = try OCSPRequest(parsing: [UInt8](request)).tbsRequest
            do {
                response = try answer(request, now: now)
            } catch {
                response = OCSPResponse(status: .internalError)
            }
        } catch {
            response = OCSPResponse(status: .malformedRequest)
        }
        var coder = DER.Serializer()
        // If even that fails, this is the response with the status
        // `internalError`.
        guard (try? coder.serialize(response)) != nil else { return Data([0x30, 0x03, 0x0A, 0x01, 0x02]) }
        return Data(coder.serializedBytes)
    }

    private func answer(_ request: OCSPTBSRequest, now: Date) throws -> OCSPResponse {
        guard let first = request.requests.first, let (issuer, delegate) = try issuer(of: first.certificate) else {
            return OCSPResponse(status: .unauthorized)
        }
        let contents = try state.current()
        let issued = issued(contents)
        let responses = try request.requests.map { single in
            let isOurs = try single.certificate.isIssued(by: issuer.certificate)
            let serialNumber = single.certificate.serialNumber
            let status: OCSPCertStatus
            if !isOurs || !issued.contains(where: { $0.serialNumber == serialNumber && $0.issuer.der == issuer.der }) {
                status = .unknown
            } else if let revocation = contents.index.revoked.first(where: { $0.serialNumber == serialNumber }) {
                status = .revoked(revocation)
            } else {
                status = .good
            }
            return OCSPSingleResponse(
                certificate: single.certificate, status: status, thisUpdate: now,
                nextUpdate: now.addingTimeInterval(Self.ocspAnswerLifetime))
        }
        let data = OCSPResponseData(
            responderKeyHash: Array(SubjectKeyIdentifier(hash: delegate.certificate.publicKey).keyIdentifier),
            producedAt: now, responses: responses, nonce: request.nonce)
        return OCSPResponse(status: .successful, response: try BasicOCSPResponse(data, signedBy: delegate))
    }

    private func issuer(of certificate: OCSPCertID) throws -> (issuer: Member, delegate: Member)? {
        for chain in [receipts, jws] {
            if try certificate.isIssued(by: chain.intermediate.certificate) {
                return (chain.intermediate, chain.intermediateResponder)
            }
            if try certificate.isIssued(by: chain.root.certificate) { return (chain.root, chain.rootResponder) }
        }
        return nil
    }
}
