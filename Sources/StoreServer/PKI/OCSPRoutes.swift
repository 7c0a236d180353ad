// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Hummingbird
import NIOCore
import StoreAPI
import StoreDomain
import StoreService

/// `/pki/ocsp`: answers whether a certificate of this store was revoked (RFC
/// 6960, appendix A: the request is a POST, or a GET with the OCSP request in
/// the path).
///
/// The status is 200 also for an OCSP error, which is in the response's body,
/// and 503 when the memory for request bodies is used up, or when the database
/// with the revocations doesn't answer.
struct OCSPRoutes {
    let service: StoreService
    let limits: RequestLimits

    private static let path = "/pki/ocsp"
    static let bodyLimit = 1 << 15

    func add(to router: StoreRouter) {
        router.post("/pki/ocsp") { request, context in
            try await service.authority.refreshIfStale(now: service.clock.now().date)
            do {
                let address = context.clientAddress
                return try await limits.bodies.withBody(of: request, from: address, upTo: Self.bodyLimit) { body in
                    answer(Data(body.readableBytesView))
                }
            } catch let failure as StoreFailure where failure.code == .unavailable {
                throw failure
            } catch {
                return answer(nil)
            }
        }
        router.get("/pki/ocsp/**") { request, _ in
            try await service.authority.refreshIfStale(now: service.clock.now().date)
            // Base64 contains slashes, which some clients don't escape: the
            // OCSP request is the whole rest of the path.
            let text = request.uri.path.dropFirst(Self.path.count + 1)
            return answer(String(text).removingPercentEncoding.flatMap { Data(base64Encoded: $0) })
        }
    }

    private func answer(_ question: Data?) -> Response {
        // A request that can't be read is answered like an empty one: malformedRequest.
        let answer = service.authority.answerOCSP(question ?? Data(), now: service.clock.now().date)
        return Response(
            status: .ok, headers: [.contentType: "application/ocsp-response", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer)))
    }
}
