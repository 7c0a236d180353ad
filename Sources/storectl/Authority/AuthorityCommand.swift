// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import ArgumentParser
import Foundation
import StoreDomain

struct AuthorityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authority", abstract: "Look after the keys that a store signs with.",
        discussion: """
            A running store uses the changed authority: immediately if the authority is files, within some seconds if \
            it is in the database.
            A key of the operator's own comes from the environment: OPENSTOREKIT_KEY_ROOT (or _INTERMEDIATE, _LEAF, \
            _JWS_ROOT, _JWS_INTERMEDIATE, _JWS_LEAF) has it as PEM, or the same with _FILE behind it a file's path.
            """,
        subcommands: [
            AuthorityShowCommand.self, AuthorityRotateCommand.self, AuthorityRevokeCommand.self,
            AuthorityEncryptCommand.self,
        ])
}

/// The store whose authority a command works on.
struct AuthorityOptions: ParsableArguments {
    @Option(help: "The store's folder. Default: $XDG_DATA_HOME/openstorekit.")
    var data: String?

    @Option(
        help: ArgumentHelp("The database of the store, as serve takes it.", valueName: "url"))
    var database: DatabaseArgument?

    @OptionGroup var key: AuthorityKeyOptions

    func validate() throws {
        _ = try database?.location()
    }

    func load() async throws -> SigningAuthority {
        let (authority, location) = try place()
        return try await authority.load(at: location)
    }

    /// The authority's rows; `nil` if it is files.
    func rows() async throws -> AuthorityRows? {
        let (authority, location) = try place()
        return try await authority.rows(at: location)
    }

    private func place() throws -> (StoredAuthority, DatabaseLocation) {
        let environment = ProcessInfo.processInfo.environment
        let directory = try StoreDirectory(path: data, environment: environment)
        let named = try database?.location()
        try named?.expectFile()
        return (
            StoredAuthority(directory: directory, key: key, environment: environment),
            named ?? directory.databaseLocation
        )
    }
}

struct AuthorityShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print the certificates that sign now, and the revoked ones.")

    @OptionGroup var options: AuthorityOptions

    @Flag(help: "Print only the root certificates, as PEM, for apps and sellers to trust.")
    var pem = false

    func run() async throws {
        try await storectl.run {
            let authority = try await options.load()
            if pem { return print(authority.rootsPEM, terminator: "") }
            for (name, certificate) in authority.issuingCertificates.sorted(by: { $0.key < $1.key }) {
                let summary = try CertificateSummary(der: certificate)
                print("\(name)  \(summary.serialNumber)  until \(spelled(summary.notValidAfter))")
            }
            for (name, environment) in [
                ("sandbox", SigningAuthority.Environment.sandbox), ("production", .production),
            ] where try name == "sandbox" || authority.signsForProduction {
                let numbers = try authority.leafSerialNumbers(of: environment)
                print("\(name) leaf for receipts  \(numbers.receipts)")
                print("\(name) leaf for JWS  \(numbers.jws)")
            }
            for revocation in try authority.revocations {
                print("revoked  \(revocation.serialNumber)  \(spelled(revocation.date))")
            }
        }
    }
}

struct AuthorityRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Give the store new certificates to sign with.",
        discussion: "Signatures of the old ones stay good. Their keys are removed.")

    @OptionGroup var options: AuthorityOptions

    @Flag(help: "The sandbox's, which are valid for a century; without this, production's.")
    var sandbox = false

    @Flag(help: "Only if production's certificates have signed for 90 days: for a timer.")
    var ifDue = false

    @Option(
        help: ArgumentHelp(
            "The store's address in the new certificates. Default: the address in the intermediate ones.",
            valueName: "url"))
    var publicURL: String?

    func validate() throws {
        if sandbox, ifDue {
            throw ValidationError("--sandbox and --if-due exclude one another: only production's are ever due.")
        }
    }

    func run() async throws {
        try await storectl.run {
            let authority = try await options.load()
            var random = SystemDependencies.random.drawing
            let environment: SigningAuthority.Environment = sandbox ? .sandbox : .production
            if ifDue {
                let isRenewed = try await authority.rotateLeavesIfDue(
                    now: Date(), publicAddress: publicURL, using: &random)
                guard isRenewed else { return print("Nothing to do yet.") }
            } else {
                try authority.rotateLeaves(
                    of: environment, now: Date(), publicAddress: publicURL, using: &random)
            }
            let numbers = try authority.leafSerialNumbers(of: environment)
            print("receipts  \(numbers.receipts)")
            print("JWS  \(numbers.jws)")
        }
    }
}

struct AuthorityRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Say that a certificate isn't to be trusted any more.",
        discussion: """
            Nothing that it signed is accepted from then on. Rotate first when it is one that signs now, so that apps \
            get new receipts.
            """)

    @OptionGroup var options: AuthorityOptions

    @Argument(help: "The certificate's serial number, hexadecimal, as show and receipt inspect print it.")
    var serialNumber: String

    @Flag(help: "The key is in no other hands: another certificate took its place.")
    var superseded = false

    func run() async throws {
        try await storectl.run {
            guard let number = SerialNumber(hexadecimal: serialNumber) else {
                throw CommandFailure("A serial number is hexadecimal, not \"\(serialNumber)\".")
            }
            try await options.load().revoke(number, now: Date(), reason: superseded ? .superseded : .keyCompromise)
            print("revoked  \(number)")
        }
    }
}

struct AuthorityEncryptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encrypt", abstract: "Encrypt the private keys in a store's database with a new key.",
        discussion: """
            Give the key that they are encrypted with now as --authority-key or OPENSTOREKIT_AUTHORITY_KEY, or \
            --plain-authority if they aren't. Afterwards start every node again with the new key.
            """)

    @OptionGroup var options: AuthorityOptions

    @Option(help: ArgumentHelp("The file with the new key.", valueName: "file"))
    var newKey: String

    func run() async throws {
        try await storectl.run {
            let new = try AuthorityKeyOptions.key(inFile: newKey)
            guard let rows = try await options.rows() else {
                throw CommandFailure(
                    "The signing authority of this store is files: only one in a database is encrypted.")
            }
            try rows.encrypt(with: new)
            print("Encrypted. Start every node of the store again with the new key.")
        }
    }
}
