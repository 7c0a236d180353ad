// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreDomain
import StoreService

extension ServeCommand {
    /// Checks the options of a store that leaves nothing on the disk.
    ///
    /// - Throws: `ValidationError`.
    func validateEphemeral() throws {
        guard ephemeral else {
            if json { throw ValidationError("--json needs --ephemeral: other stores have their token in the folder.") }
            if listen.port == 0 {
                throw ValidationError("--listen takes HOST:PORT with a port from 1 on; 0 needs --ephemeral.")
            }
            return
        }
        let excluded: [(isGiven: Bool, option: String)] = [
            (data != nil, "--data"), (database != nil, "--database"), (hosting.content != nil, "--content"),
            (authorityKey.isGiven, authorityKey.plainAuthority ? "--plain-authority" : "--authority-key"),
        ]
        if let found = excluded.first(where: \.isGiven) {
            throw ValidationError("--ephemeral and \(found.option) exclude one another.")
        }
    }

    /// Opens the storage of hosted content, which is in memory for a store
    /// without a folder.
    ///
    /// - Throws: The errors of ``ContentOptions/hosting(of:in:)``.
    func openHosting(_ context: StoreContext, in directory: StoreDirectory?) async throws -> ContentHosting {
        var opened =
            if let directory {
                try await hosting.hosting(of: context, in: directory)
            } else {
                ContentHosting(storage: MemoryStorage(), quota: hosting.contentQuota.bytes)
            }
        opened.redirects = contentRedirect
        return opened
    }

    /// The line with the address at which Connect is set up, once, behind the
    /// other lines; empty for a store whose Connect has users, for one whose
    /// address isn't safe for them, and beside a line of JSON.
    ///
    /// - Throws: `DatabaseError`.
    func setUpLine(of service: StoreService) async throws -> String {
        guard !json, service.isConnectSafe, let address = try await service.teamSetUpAddress() else { return "" }
        return "\nConnect, where apps and products are registered, is set up at \(address)"
    }

    /// The line, or lines, on standard output that say that the store is
    /// ready.
    ///
    /// - Throws: An error of the encoder.
    func readyLine(_ facts: EphemeralStore?, _ names: NameOptions.Listener?) throws -> String {
        let line = "The store is at \(address)/" + (names.map { "\nApple's names are served at \($0.address)" } ?? "")
        guard let facts else { return line }
        if json { return try facts.line(names) }
        return line + "\nThe token of its remote control is \(facts.controlToken), for "
            + "\(RemoteControl.tokenVariable) and storectl --store \(listen.reachableURL)."
    }
}
