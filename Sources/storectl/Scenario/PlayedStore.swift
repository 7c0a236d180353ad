// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreScenarios
import StoreServer

/// The store of one scenario, behind its remote control.
struct PlayedStore: ScenarioStore {
    let control: ScenarioControl
    let receiver: NotificationReceiver
    let decoder: NotificationDecoder
    let server: SellerServer
    let bundleIdentifier: String

    /// How often the store is asked whether it has sent everything; it answers
    /// after some seconds when it hasn't.
    private static let waits = 30

    func call(_ name: String, _ body: JSONValue) async throws -> ScenarioAnswer {
        try await control.call(name, body)
    }

    func send(_ request: ServerRequest) async throws -> ScenarioAnswer {
        try await server.send(request, of: bundleIdentifier)
    }

    func advance(_ email: String, by duration: String) async throws {
        let moved = try await control.make(
            "move-clock", .object(["email": .string(email), "by": .string(duration)]))
        var next = moved.member("page")?.member("next")
        while let after = next, after != .null {
            let page = try await control.make(
                "subscription-events", .object(["email": .string(email), "after": after, "waits": .bool(true)]))
            next = page.member("next")
        }
    }

    func setReceiver(_ statuses: [Int]) async {
        receiver.answer(with: statuses)
    }

    func notifications() async throws -> [JSONValue] {
        for _ in 0..<Self.waits {
            let answer = try await control.make(
                "settle-notifications", .object(["bundle": .string(bundleIdentifier)]))
            if answer.member("settled") == .bool(true) { return try receiver.take().map(decoded) }
        }
        throw ScenarioFailure("the store has notifications under way for too long")
    }

    private func decoded(_ body: Data) throws -> JSONValue {
        guard case .object(var members) = try decoder.notification(body) else { return .null }
        members["certificate"] = .string(try decoder.certificate(body))
        return .object(members)
    }
}
