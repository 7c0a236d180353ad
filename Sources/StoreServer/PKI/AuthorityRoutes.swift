// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Hummingbird
import NIOCore
import StoreService

/// `/pki/…`: the certificates that receipts are verified with.
struct AuthorityRoutes {
    let service: StoreService

    func add(to router: Router<BasicRequestContext>) {
        router.get("/pki/root.cer") { _, _ -> Response in
            certificate(ByteBuffer(bytes: service.authority.rootCertificate), type: "application/pkix-cert")
        }
        router.get("/pki/root.pem") { _, _ -> Response in
            certificate(
                ByteBuffer(string: service.authority.rootCertificatePEM), type: "application/x-pem-file")
        }
    }

    private func certificate(_ bytes: ByteBuffer, type: String) -> Response {
        Response(status: .ok, headers: [.contentType: type], body: ResponseBody(byteBuffer: bytes))
    }
}
