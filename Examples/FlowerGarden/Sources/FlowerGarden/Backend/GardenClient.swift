// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The app's requests to its back end.
struct GardenClient: Sendable {
    /// The customer's purchases at the back end.
    struct State: Codable, Equatable, Sendable {
        var products: [String]
        var coins: Int
        /// When each subscription ends or has ended.
        var subscriptions: [String: Date] = [:]
    }

    private struct SignedIn: Decodable {
        var token: String
    }

    /// A refusal of the back end, with its code.
    struct Refused: Error, Codable, Equatable {
        var code: String
        var message: String
    }

    let address: URL
    var token: String?

    /// Registers a customer, or signs one in on another device.
    func signIn(_ name: String, _ password: String, isNew: Bool) async throws -> GardenClient {
        let body = try JSONEncoder().encode(["name": name, "password": password])
        let (data, _) = try await send("POST", isNew ? "customers" : "sessions", body)
        return GardenClient(address: address, token: try JSONDecoder().decode(SignedIn.self, from: data).token)
    }

    /// Ends the session.
    func signOut() async throws { _ = try await send("DELETE", "sessions") }

    func state() async throws -> State { try await state("GET", "purchases") }

    func add(receipt: Data) async throws -> State { try await state("POST", "receipts", receipt) }

    /// Asks for a product that costs nothing. The back end decides whether it does.
    func takeFree(_ product: String) async throws -> State { try await state("POST", "free/\(product)") }

    func spend(coins: Int) async throws -> State {
        try await state("POST", "spend", JSONEncoder().encode(["coins": coins]))
    }

    private func state(_ method: String, _ path: String, _ body: Data? = nil) async throws -> State {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(State.self, from: await send(method, path, body).0)
    }

    /// - Throws: ``Refused`` for statuses from 400 on.
    func send(
        _ method: String, _ path: String, _ body: Data? = nil, fields: [String: String] = [:]
    ) async throws -> (Data, HTTPURLResponse) {
        var request = URLRequest(url: address.appendingPathComponent(path))
        request.httpMethod = method
        request.httpBody = body
        // The app has its own caches.
        request.cachePolicy = .reloadIgnoringLocalCacheData
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        if response.statusCode >= 400 {
            throw (try? JSONDecoder().decode(Refused.self, from: data))
                ?? Refused(
                    code: "status-\(response.statusCode)", message: "The garden can't answer now. Try again later.")
        }
        return (data, response)
    }
}
