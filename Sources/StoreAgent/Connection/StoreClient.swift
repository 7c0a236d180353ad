// SPDX-License-Identifier: Apache-2.0

internal import StoreAPI

/// The store as this device calls it: a device that the store doesn't know
/// (yet, or any more) is registered, and the message repeated.
struct StoreClient: Sendable {
    let connection: any StoreConnection
    let credentials: DeviceCredentials

    /// - Throws: `StoreFailure`, `ConnectionFailure`.
    func call<Call: StoreCall>(_ call: Call) async throws -> Call.Answer {
        do {
            return try await send(call)
        } catch let failure as StoreFailure where failure.code == .unknownDevice {
            do {
                _ = try await register()
                return try await send(call)
            } catch let failure as ConnectionFailure {
                // The message has left the device: whatever lies on its way
                // may repeat it to a store that knows the device by then.
                throw ConnectionFailure(reach: .unanswered, underlying: failure.underlying)
            }
        }
    }

    /// - Returns: `Sandbox` or `Production`.
    /// - Throws: `StoreFailure`, `ConnectionFailure`.
    func register() async throws -> String {
        try await send(RegisterCall()).environment
    }

    /// Sends a message. What a store says in a refusal reaches logs and apps.
    private func send<Call: StoreCall>(_ call: Call) async throws -> Call.Answer {
        do {
            return try await connection.call(call, as: credentials)
        } catch let failure as StoreFailure {
            throw failure.printable
        }
    }

    /// - Throws: `StoreFailure`, `ConnectionFailure`.
    func events(
        of bundleIdentifier: String, after position: EventPosition?
    ) async throws -> AsyncThrowingStream<StoreEvent, any Error> {
        try await connection.events(
            EventSubscription(credentials: credentials, bundleIdentifier: bundleIdentifier, position: position))
    }
}
