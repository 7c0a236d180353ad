// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreAPI
import StoreService

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The address of a running store, and the folder with the token of its
/// remote control.
struct RemoteControl: ParsableArguments {
    @Option(help: ArgumentHelp("The running store.", valueName: "url"))
    var store = "http://127.0.0.1:8080"

    @Option(help: "The store's folder. Default: $XDG_DATA_HOME/openstorekit.")
    var data: String?

    /// Sends one message and returns the answer.
    ///
    /// - Throws: ``CommandFailure`` with the store's own sentence, or with
    ///   the reason why no store answers.
    func call<Answer: Decodable>(_ verb: Control.Verb, _ call: some Encodable) async throws -> Answer {
        let directory = try StoreDirectory(path: data, environment: ProcessInfo.processInfo.environment)
        guard let url = URL(string: "\(store)\(Control.folder)/\(verb.rawValue)"), url.host != nil else {
            throw CommandFailure("--store takes the address of a store, such as http://127.0.0.1:8080.")
        }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("Bearer \(try directory.readControlToken())", forHTTPHeaderField: "Authorization")
        request.httpBody = try StoreCoding.encode(call)
        let data: Data
        let response: URLResponse
        do {
            (data, response) = try await URLSession.shared.data(for: request)
        } catch {
            throw CommandFailure("No store answers at \(store): start it, or say where it is with --store URL.")
        }
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            let refusal = try? StoreCoding.decode(StoreFailureBody.self, from: data)
            throw CommandFailure(refusal?.error.message ?? "What answers at \(store) isn't a store.")
        }
        return try StoreCoding.decode(Answer.self, from: data)
    }

    /// Prints the state of a purchase, or of a request that may become one.
    func show(_ answer: Control.TransactionAnswer, json: Bool) throws {
        if json { return try printJSON(answer) }
        let count = answer.quantity > 1 ? " × \(answer.quantity)" : ""
        let reason = answer.message.map { ": \($0)" } ?? ""
        print("\(answer.transaction) \(answer.product)\(count) \(answer.status)\(reason)")
    }

    func printJSON(_ value: some Encodable) throws {
        print(String(decoding: try StoreCoding.encode(value), as: UTF8.self))
    }
}
