// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreService

/// A file of a key and an app, which is compared with the app's products and
/// waits for its import.
protocol ComparedUpload {
    var caller: ConnectCaller { get }

    /// Keeps a file in the place of the key's earlier one.
    func keep(_ file: Data, _ query: [String: String]) async throws
    /// The comparison with the products as they are now.
    ///
    /// - Throws: `DomainError`: `forbidden`; `notFound` without a file.
    func saved() async throws -> ConnectSaved
    func apply(version: String) async throws
    func discard() async throws
}

/// A `.storekit` file.
struct ComparedConfiguration: ComparedUpload {
    let caller: ConnectCaller
    let app: BundleIdentifier

    init(_ caller: ConnectCaller, _ context: StoreRequestContext) throws {
        self.caller = caller
        app = try ConnectAPI.app(context)
    }

    func keep(_ file: Data, _ query: [String: String]) async throws {
        let others = query["others"] ?? "keep"
        guard ["keep", "withdraw"].contains(others) else { throw InvalidFields(unknown: "others") }
        try await caller.service.importingAppFile().upload(
            file, named: query["name"] ?? "", withdraws: others == "withdraw", to: app, by: caller.user)
    }

    func saved() async throws -> ConnectSaved {
        guard let waiting = try await caller.service.importingAppFile().waiting(of: app, as: caller.user) else {
            throw DomainError(.notFound, "No file waits: upload it first.")
        }
        return ConnectSaved(ConnectAnswers.FileComparison(waiting), version: waiting.diff.version)
    }

    func apply(version: String) async throws {
        try await caller.service.importingAppFile()(of: app, version: version, by: caller.user)
    }

    func discard() async throws {
        try await caller.service.importingAppFile().discard(of: app, by: caller.user)
    }
}

/// A table of prices and texts.
struct ComparedTable: ComparedUpload {
    let caller: ConnectCaller
    let app: BundleIdentifier

    init(_ caller: ConnectCaller, _ context: StoreRequestContext) throws {
        self.caller = caller
        app = try ConnectAPI.app(context)
    }

    func keep(_ file: Data, _ query: [String: String]) async throws {
        try await caller.service.editingTable().upload(file, named: query["name"] ?? "", to: app, by: caller.user)
    }

    func saved() async throws -> ConnectSaved {
        guard let waiting = try await caller.service.editingTable().waiting(of: app, as: caller.user) else {
            throw DomainError(.notFound, "No table waits: upload it first.")
        }
        return ConnectSaved(ConnectAnswers.TableComparison(waiting), version: waiting.diff.version)
    }

    func apply(version: String) async throws {
        try await caller.service.editingTable()(of: app, version: version, by: caller.user)
    }

    func discard() async throws {
        try await caller.service.editingTable().discard(of: app, by: caller.user)
    }
}
