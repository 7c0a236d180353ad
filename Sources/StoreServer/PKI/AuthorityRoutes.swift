// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Hummingbird
import NIOCore
import StoreAPI
import StoreDomain
import StoreService

/// `/pki/…`: the certificates that receipts and signed transactions are
/// verified with, and their revocation lists.
///
/// Certificates (`.cer`) and revocation lists (`.crl`) are named `root`,
/// `intermediate`, `jws-root` and `jws-intermediate`.
struct AuthorityRoutes {
    let service: StoreService
    let limits: RequestLimits
    private let lists = RememberedRevocationLists()

    init(service: StoreService, limits: RequestLimits) {
        self.service = service
        self.limits = limits
    }

    func add(to router: StoreRouter) {
        router.get("/pki/:file") { _, context in
            try await file(try context.parameters.require("file"))
        }
        OCSPRoutes(service: service, limits: limits).add(to: router)
    }

    private func file(_ name: String) async throws -> Response {
        let authority = service.authority
        switch name {
        case "root.pem": return pem(authority.rootCertificatePEM)
        case "roots.pem": return pem(authority.rootsPEM)
        default: break
        }
        if name.hasSuffix(".cer"), let certificate = authority.issuingCertificates[String(name.dropLast(4))] {
            return answer(certificate, type: "application/pkix-cert")
        }
        // The files below change when another node rotates or revokes.
        try await authority.refreshIfStale(now: service.clock.now().date)
        if name == "bundle.pem" { return pem(try authority.bundlePEM) }
        if name.hasSuffix(".crl"),
            let list = try lists.list(of: String(name.dropLast(4)), of: authority, now: service.clock.now())
        {
            return answer(list, type: "application/pkix-crl")
        }
        throw StoreFailure(.notFound, "There is nothing at /pki/\(name).")
    }

    private func pem(_ text: String) -> Response {
        answer(Data(text.utf8), type: "application/x-pem-file")
    }

    private func answer(_ bytes: Data, type: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: type], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
