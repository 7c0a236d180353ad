// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SwiftASN1
import X509

extension SigningAuthority {
    /// How long an OCSP answer may be kept, in seconds: an hour.
    public static let ocspAnswerLifetime: TimeInterval = 3600

    /// Answers an OCSP request about certificates of this authority (RFC 6960).
    ///
    /// The answer is signed by the delegate of the first certificate's issuer;
    /// certificates of another issuer are unknown to it.
    ///
    /// - Parameters:
    ///   - request: The request as DER.
    ///   - now: The time, which the answer is dated by.
    /// - Returns: The response as DER, whatever the request is: what can't be
    ///   read, or is about an issuer that isn't ours, is answered so.
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
        // Five bytes that say what went wrong, if even that does.
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
