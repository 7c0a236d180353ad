// SPDX-License-Identifier: Apache-2.0

package import AppReceipts
package import Foundation
package import Logging
package import StoreAPI
import StoreCore
package import StoreDomain

/// Answers the messages of devices, without HTTP: decodes a message, calls
/// the use case, and encodes the answer. The event streams of the affected
/// devices are woken by the announcements of the commits (`NewsBus`).
package final class StoreService: Sendable {
    let context: StoreContext
    package let authority: SigningAuthority
    /// The base address of the store's pages for customers, without a slash
    /// at the end.
    package let publicURL: String
    package let logger: Logger
    /// The secrets that the nodes of the store share; `nil` for a store whose
    /// secrets are in files.
    let secrets: StoredSecrets?
    /// Limits the refusals that are saved for the live page.
    let problemLimit = ProblemLimit()
    /// The shared secret of an app; `nil` without one.
    let sharedSecret: @Sendable (BundleIdentifier) -> String?

    package let hub: EventHub
    let knownApps = KnownApps()
    let verifier = RememberedVerifier()
    let uses = DeviceUses()
    let supersession = Supersession()
    let contentKeys = ContentKeys()
    let contentStreams = ContentStreams()

    package init(
        _ context: StoreContext, authority: SigningAuthority, publicURL: String, logger: Logger,
        secrets: StoredSecrets? = nil,
        sharedSecret: @escaping @Sendable (BundleIdentifier) -> String? = { _ in nil }
    ) {
        self.context = context
        self.authority = authority
        self.publicURL = publicURL
        self.logger = logger
        self.secrets = secrets
        self.sharedSecret = sharedSecret
        let hub = EventHub(context.meters)
        self.hub = hub
        context.bus.subscribe { [weak hub] in hub?.receive($0) }
    }

    package var environment: StoreEnvironment { context.environment }
    package var clock: WallClock { context.clock }
    var faults: FaultHandler { context.faults }
    var now: WallTime { clock.now() }

    /// Answers one message of a device.
    ///
    /// - Throws: `StoreFailure`, and no other error.
    package func answer(_ message: StoreMessage) async throws -> Data {
        let device = try await admit(message.credentials, to: message.path)
        return try await answer(message.path, message.body, from: device)
    }

    /// Answers the body of a message of a device that was admitted to its
    /// path.
    ///
    /// - Throws: `StoreFailure`, and no other error.
    package func answer(_ path: StorePath, _ body: Data, from device: AdmittedDevice) async throws -> Data {
        let message = StoreMessage(path: path, credentials: device.credentials, body: body)
        do {
            switch path {
            case .register: return try await answer(message, register)
            case .products: return try await answer(message, products)
            case .payments: return try await answer(message, payment)
            case .queue: return try await answer(message, queue)
            case .finish: return try await answer(message, finish)
            case .restore: return try await answer(message, restore)
            case .receipt: return try await answer(message, receipt)
            case .transactionReceipts: return try await answer(message, transactionReceipts)
            case .signedTransactions: return try await answer(message, signedTransactions)
            case .signOut: return try await answer(message, signOut)
            case .keyValues: return try await answer(message, keyValues)
            case .content: return try await answer(message, content)
            case .redemption: return try await answer(message, redemption)
            case .priceConsent: return try await answer(message, priceConsent)
            case .item: return try await answer(message, itemPage)
            case .accountPage: return try await answer(message, accountPage)
            default:
                throw StoreFailure(.notFound, "There is no message \(path.rawValue).")
            }
        } catch {
            throw failure(of: error, at: path.rawValue)
        }
    }

    private func answer<Call: StoreCall>(
        _ message: StoreMessage, _ handler: (Call, StoreMessage) async throws -> Call.Answer
    ) async throws -> Data {
        let call = try decode(Call.self, from: message.body, of: message.path.rawValue)
        if let call = call as? any AppCall { try await requireApp(BundleIdentifier(call.bundleIdentifier)) }
        return try StoreCoding.encode(try await handler(call, message))
    }

    /// Decodes a body from outside.
    ///
    /// - Throws: `StoreFailure`: `invalid` for a value outside of its limit,
    ///   `malformed` for anything else.
    func decode<Call: Decodable>(_ type: Call.Type, from body: Data, of place: String) throws -> Call {
        do {
            return try StoreCoding.decode(type, from: body)
        } catch let error as LimitExceeded {
            throw StoreFailure(.invalid, error.description)
        } catch {
            throw StoreFailure(.malformed, "The body isn't a message for \(place): \(Self.place(of: error))")
        }
    }

    /// A sentence about the place at which a JSON body is wrong.
    static func place(of error: any Error) -> String {
        guard let error = error as? DecodingError else { return "it is not JSON." }
        func path(_ context: DecodingError.Context) -> String {
            context.codingPath.isEmpty ? "the top level" : context.codingPath.fieldName
        }
        switch error {
        case .keyNotFound(let key, let context): return "\"\(key.stringValue)\" is missing at \(path(context))."
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "\(path(context)) has another type."
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            return "\(path(context)) can't be read."
        default: return "it is not JSON."
        }
    }
}

extension StoreMessage {
    var device: DeviceIdentifier { DeviceIdentifier(credentials.identifier) }
}
