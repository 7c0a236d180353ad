// SPDX-License-Identifier: Apache-2.0

import StoreAPI

/// Calls the store as this device.
///
/// When the store doesn't know the device, the client registers it and
/// repeats the message.
struct StoreClient: Sendable {
    let connection: any StoreConnection
    let credentials: DeviceCredentials

    /// Sends a call and returns the answer.
    ///
    /// - Throws: `StoreFailure`, `ConnectionFailure`.
    func call<Call: StoreCall>(_ call: Call) async throws -> Call.Answer {
        do {
            return try await send(call)
        } catch let failure as StoreFailure where failure.code == .unknownDevice {
            do {
                _ = try await register()
                return try await send(call)
            } catch let failure as ConnectionFailure {
                // The message has left the device. A proxy may repeat it
                // after the device is registered.
                throw ConnectionFailure(reach: .unanswered, underlying: failure.underlying)
            }
        }
    }

    /// Registers the device.
    ///
    /// - Returns: `Sandbox` or `Production`.
    /// - Throws: `StoreFailure`, `ConnectionFailure`.
    func register() async throws -> String {
        try await send(RegisterCall()).environment
    }

    /// Sends a message. Texts of a refusal are made printable, because they
    /// reach logs and apps.
    private func send<Call: StoreCall>(_ call: Call) async throws -> Call.Answer {
        do {
            return try await connection.call(call, as: credentials)
        } catch let failure as StoreFailure {
            throw failure.printable
        }
    }

    /// Opens the stream of an account's events for one app after a position,
    /// and of the device's news after a number.
    ///
    /// - Throws: `StoreFailure`, `ConnectionFailure`.
    func events(
        of bundleIdentifier: String, after position: EventPosition?, newsAfter number: Int64? = nil
    ) async throws -> AsyncThrowingStream<StoreEvent, any Error> {
        try await connection.events(
            EventSubscription(
                credentials: credentials, bundleIdentifier: bundleIdentifier, position: position, newsNumber: number,
                takesPages: true))
    }
}
