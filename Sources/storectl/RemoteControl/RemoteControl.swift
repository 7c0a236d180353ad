// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreAPI
import StoreService

/// One request of the remote control.
struct ControlRequest {
    /// The path in the folder of the remote control.
    var path: String
    var body: Data
    /// The seconds to wait for the answer.
    var timeout: TimeInterval = 60

    init(path: String, body: Data) {
        self.path = path
        self.body = body
    }

    init(_ verb: Control.Verb, _ call: some Encodable) throws {
        path = verb.rawValue
        body = try StoreCoding.encode(call)
    }
}

/// The address of a running store, and the folder with the token of its
/// remote control.
struct RemoteControl: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The running store. Default: where the store of the folder was served last.", valueName: "url"))
    var store: String?

    @Option(
        help: """
            The store's folder. Default: $XDG_DATA_HOME/openstorekit. A store without a folder (serve --ephemeral) is \
            called with --store, and its token in OPENSTOREKIT_CONTROL_TOKEN.
            """)
    var data: String?

    /// The environment variable with the token of the store that `--store`
    /// names.
    static let tokenVariable = "OPENSTOREKIT_CONTROL_TOKEN"

    /// Sends one message and returns the answer.
    ///
    /// `remedy` says how to repeat the call; it ends the sentence about a store
    /// that has failed or hasn't answered, and may have made the change.
    ///
    /// - Throws: ``CommandFailure`` with the store's own sentence, or with
    ///   the reason why no store answers.
    func call<Answer: Decodable>(
        _ verb: Control.Verb, _ call: some Encodable, remedy: String? = nil
    ) async throws -> Answer {
        try await send(ControlRequest(verb, call), remedy: remedy)
    }

    /// Sends one request and returns the answer, as the other function does.
    func send<Answer: Decodable>(_ request: ControlRequest, remedy: String? = nil) async throws -> Answer {
        let address = try address()
        switch try await Self.send(request, to: address, token: try token()) {
        case .answer(let data): return try StoreCoding.decode(Answer.self, from: data)
        case .refusal(let status, var refusal):
            if status >= 500, let remedy { refusal.message += " \(remedy)" }
            throw CommandFailure(refusal, status: status)
        case .silence(let message):
            throw CommandFailure(withoutAnswer: [message, remedy].compactMap(\.self).joined(separator: " "))
        case .nothing:
            throw CommandFailure(
                withoutAnswer: "No store answers at \(address): start it, or say where it is with --store URL.")
        }
    }

    private func address() throws -> String {
        try store ?? directory().recordedControlAddress() ?? "http://127.0.0.1:8080"
    }

    /// The roots of the store's signatures, as DER, which it publishes.
    ///
    /// - Throws: ``CommandFailure``, which is temporary when no store answers.
    func rootCertificates() async throws -> [Data] {
        do {
            return try await ScenarioControl(store: try address(), token: "").rootCertificates()
        } catch let failure as CommandFailure {
            throw CommandFailure(withoutAnswer: failure.description)
        }
    }

    /// All items of a list that the store sends in pages. `call` asks for the
    /// page after the identifier of an item.
    func all<Answer: Decodable, Item>(
        _ verb: Control.Verb, _ items: (Answer) -> [Item], by identifier: (Item) -> String,
        call: (String?) -> some Encodable
    ) async throws -> [Item] {
        var all: [Item] = []
        var last: String?
        repeat {
            let page: Answer = try await self.call(verb, call(last))
            all += items(page)
            last = items(page).last.map(identifier)
        } while last != nil
        return all
    }

    /// Sends one message to the address that the folder's store has recorded,
    /// and returns the answer; `nil` when none is recorded, or when the store
    /// of this folder doesn't run there.
    ///
    /// - Throws: ``CommandFailure`` with the store's own sentence.
    func sendIfRunning<Answer: Decodable>(_ request: ControlRequest) async throws -> Answer? {
        let directory = try directory()
        guard let address = directory.recordedControlAddress(), let token = try? directory.readControlToken() else {
            return nil
        }
        switch try await Self.send(request, to: address, token: token) {
        case .answer(let data): return try StoreCoding.decode(Answer.self, from: data)
        // Another store runs there, which has another token.
        case .refusal(401, _), .nothing: return nil
        case .refusal(let status, let refusal): throw CommandFailure(refusal, status: status)
        case .silence(let message): throw CommandFailure(withoutAnswer: message)
        }
    }

    /// The outcome of a call.
    enum Reply {
        case answer(Data)
        case refusal(Int, StoreFailure)
        /// The message was sent, and the connection ended without an answer.
        case silence(String)
        case nothing
    }

    /// The token of the called store: the variable's for a store that is named
    /// by `--store` without its folder, or else the folder's.
    ///
    /// - Throws: ``CommandFailure``.
    private func token() throws -> String {
        if store != nil, data == nil, let given = ProcessInfo.processInfo.environment[Self.tokenVariable],
            !given.isEmpty
        {
            return given
        }
        return try directory().readControlToken()
    }

    func directory() throws -> StoreDirectory {
        try StoreDirectory(path: data, environment: ProcessInfo.processInfo.environment)
    }

    /// Sends one request to a store.
    ///
    /// - Throws: ``CommandFailure`` when `store` isn't an address.
    static func send(_ call: ControlRequest, to store: String, token: String) async throws -> Reply {
        guard let url = URL(string: "\(store)\(Control.folder)/\(call.path)"), url.host != nil else {
            throw CommandFailure("--store takes the address of a store, such as http://127.0.0.1:8080.")
        }
        let answer: ControlClient.Answer
        do {
            answer = try await ControlClient.post(call.body, to: url, token: token, timeout: call.timeout)
        } catch let failure as ControlClient.Failure where !failure.mayHaveArrived {
            return .nothing
        } catch let failure as ControlClient.Failure {
            return .silence("The store at \(store) hasn't answered (\(failure.reason)). It may have made the change.")
        }
        guard answer.status != 200 else { return .answer(answer.body) }
        // Another program listens there.
        guard let refusal = try? StoreCoding.decode(StoreFailureBody.self, from: answer.body) else { return .nothing }
        return .refusal(answer.status, refusal.error)
    }
}
