// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import NIOCore
import StoreAPI
import StoreService

/// The HTTP status of each failure code.
extension StoreFailure {
    var status: HTTPResponse.Status {
        switch code {
        case .malformed, .invalid, .requestMismatch: .badRequest
        case .credentialsMissing, .unknownDevice, .wrongPassword: .unauthorized
        case .declined: .init(code: 402, reasonPhrase: "Payment Required")
        case .forbidden, .notSignedIn, .otherEnvironment, .crossSite, .contentNotOwned, .contentAddressExpired:
            .forbidden
        case .notFound, .contentNotFound, .codeUnknown: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .changed, .deviceTaken, .sheetUsed, .sheetExpired, .underWay, .priceChanged, .decided,
            .refundTooLarge, .contentOffset, .codeUsed, .codeExpired, .codeRevoked, .codeNotEligible, .codeRedeemed:
            .conflict
        case .tooLarge: .contentTooLarge
        case .tooSlow: .requestTimeout
        case .throttled: .tooManyRequests
        case .unavailable: .serviceUnavailable
        default: .internalServerError
        }
    }

    func response() -> Response {
        var response = Response.json(StoreFailureBody(error: self), status: status)
        response.headers[.retryAfter] = retryAfter.map(String.init)
        return response
    }
}

extension Response {
    /// A response with a value as JSON, encoded like a message.
    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) -> Response {
        guard let data = try? StoreCoding.encode(value) else {
            return Response(status: .internalServerError)
        }
        return Response(
            status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }
}

/// Turns every error of a route into a response with a stable code.
struct FailureMiddleware<Context: RequestContext>: RouterMiddleware {
    let service: StoreService

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError {
            return failure(of: error, request).response()
        } catch let error as MethodNotAllowed {
            return error.response()
        } catch let error as LimitExceeded {
            return StoreFailure(.invalid, error.description).response()
        } catch {
            return service.failure(of: error, at: context.endpointPath ?? "?").response()
        }
    }

    private func failure(of error: HTTPError, _ request: Request) -> StoreFailure {
        switch error.status {
        case .notFound: StoreFailure(.notFound, "There is nothing at \(request.uri.path).")
        default: StoreFailure(.malformed, error.body ?? "The request can't be read.")
        }
    }
}
