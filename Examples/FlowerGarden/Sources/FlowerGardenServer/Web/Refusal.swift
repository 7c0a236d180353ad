// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird

/// Why a request is refused: a status, a code that stays the same, and a
/// sentence with what to do.
struct Refusal: Error, Equatable {
    var status: HTTPResponse.Status
    var code: String
    var message: String

    static let badRequest = Refusal(
        status: 400, code: "bad-request", message: "The request can't be read. Send the JSON of the documentation.")
    static let badName = Refusal(
        status: 400, code: "bad-name",
        message: "A name has 1 to 64 of the characters a-z, 0-9, and .-_@. Choose another one.")
    static let badPassword = Refusal(
        status: 400, code: "bad-password", message: "A password has 10 to 128 characters. Choose another one.")
    static let nameTaken = Refusal(
        status: 409, code: "name-taken", message: "This name is in use. Choose another one, or sign in.")
    static let full = Refusal(
        status: 503, code: "full", message: "The garden takes no more customers now. Try again later.")
    static let wrongPassword = Refusal(
        status: 401, code: "wrong-password", message: "The name or the password is wrong. Try again.")
    static let tooManyAttempts = Refusal(
        status: 429, code: "too-many-attempts", message: "Too many wrong passwords. Try again in 15 minutes.")
    static let noSession = Refusal(
        status: 401, code: "no-session", message: "There is no session, or it has expired. Sign in again.")
    static let tooLarge = Refusal(
        status: 413, code: "too-large", message: "The body is larger than 1 MiB. Send the receipt alone.")
    static let invalidReceipt = Refusal(
        status: 422, code: "invalid-receipt",
        message: "This isn't a receipt of this app that the store has signed. Refresh the receipt and send it again.")
    static let receiptOfAnotherCustomer = Refusal(
        status: 409, code: "receipt-of-another-customer",
        message: "A purchase of this receipt belongs to another customer. Sign in as the customer who made it.")
    static let noProduct = Refusal(
        status: 404, code: "no-product", message: "There is no such product. Load the list of products again.")
    static let notFree = Refusal(
        status: 403, code: "not-free", message: "This product isn't free. Buy it at the store.")
    static let notBought = Refusal(
        status: 403, code: "not-bought", message: "This product isn't yours. Buy it, or restore your purchases.")
    static let tooFewCoins = Refusal(
        status: 409, code: "too-few-coins", message: "There are too few coins. Buy more of them.")
    static let noContent = Refusal(
        status: 404, code: "no-content", message: "There is nothing to download for this product.")
    static let busy = Refusal(
        status: 503, code: "store-unavailable", message: "The store can't be reached. Try again later.")
}

extension Refusal: HTTPResponseError {
    func response(from request: Request, context: some RequestContext) throws -> Response {
        var response = try Response.json(["code": code, "message": message], status: status)
        if status == .tooManyRequests { response.headers[.retryAfter] = "900" }
        return response
    }
}

extension Response {
    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        encoder.dateEncodingStrategy = .iso8601
        return Response(
            status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(value))))
    }
}
