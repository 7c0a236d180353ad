// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Hummingbird
import NIOCore
import StoreDomain
import StoreService

/// `/verifyReceipt`: Apple's service for a seller's server, request and
/// response as Apple's. It always answers 200; `status` says what holds.
struct VerifyReceiptRoutes {
    let service: StoreService

    private static let bodyLimit = 10 << 20

    func add(to router: Router<BasicRequestContext>) {
        router.post("/verifyReceipt") { request, _ in await answer(request) }
        for method in [HTTPRequest.Method.get, .head, .put, .delete, .patch] {
            router.on("/verifyReceipt", method: method) { _, _ -> Response in .json(Self.failed(.notPost)) }
        }
    }

    private func answer(_ request: Hummingbird.Request) async -> Response {
        guard let body = try? await request.body.collect(upTo: Self.bodyLimit),
            let asked = try? JSONDecoder().decode(VerifyReceiptRequest.self, from: Data(body.readableBytesView)),
            let receipt = Data(base64Encoded: asked.receiptData, options: .ignoreUnknownCharacters), !receipt.isEmpty
        else { return .json(Self.failed(.malformed)) }
        return .json(verify(receipt))
    }

    private func verify(_ receipt: Data) -> VerifyReceiptResponse {
        let verifier = AppReceiptVerifier(roots: [service.authority.rootCertificate])
        // A seller's server asks about any app and any device.
        guard let verdict = try? verifier.verify(receipt, expecting: .init()) else {
            return Self.failed(.malformed)
        }
        guard case .verified(let verified) = verdict else { return Self.failed(.notAuthentic) }
        let isForHere = (verified.contents.environment == .production) == (service.environment == .production)
        guard isForHere else {
            return Self.failed(service.environment == .production ? .sandboxReceipt : .productionReceipt)
        }
        return VerifyReceiptResponse(
            status: VerifyReceiptStatus.valid.rawValue, environment: service.environment.rawValue,
            receipt: ReceiptBody(verified.contents, requestDate: service.clock.now().date))
    }

    private static func failed(_ status: VerifyReceiptStatus) -> VerifyReceiptResponse {
        VerifyReceiptResponse(status: status.rawValue)
    }
}

/// Apple's status codes ("Validating receipts with the App Store").
enum VerifyReceiptStatus: Int {
    case valid = 0
    case notPost = 21000
    case malformed = 21002
    case notAuthentic = 21003
    case sandboxReceipt = 21007
    case productionReceipt = 21008
}
