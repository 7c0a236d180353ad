// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreDomain

/// The protection of the private keys of an authority in a database.
struct AuthorityKeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The file with the key that encrypts the private keys in a PostgreSQL database: 32 bytes in hexadecimal or \
            base64. Or give the key in OPENSTOREKIT_AUTHORITY_KEY.
            """, valueName: "file"))
    var authorityKey: String?

    @Flag(help: "Keep the private keys in a PostgreSQL database unencrypted.")
    var plainAuthority = false

    static let variable = "OPENSTOREKIT_AUTHORITY_KEY"

    func validate() throws {
        if plainAuthority, authorityKey != nil {
            throw ValidationError("--plain-authority and --authority-key exclude one another.")
        }
    }

    /// Whether the command line names a protection.
    var isGiven: Bool { plainAuthority || authorityKey != nil }

    /// The chosen protection: `--authority-key`, else the variable; `nil` if
    /// none is chosen.
    ///
    /// - Throws: ``CommandFailure`` when the key can't be read.
    func protection(_ environment: [String: String]) throws -> AuthorityProtection? {
        let variable = environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
        if plainAuthority {
            guard variable == nil else {
                throw CommandFailure("--plain-authority and \(Self.variable) exclude one another: unset the variable.")
            }
            return .plain
        }
        if let authorityKey { return .encrypted(try Self.key(inFile: authorityKey)) }
        return try variable.map { .encrypted(try Self.key($0, from: Self.variable)) }
    }

    static func key(inFile path: String) throws -> AuthorityKey {
        try key(String(decoding: try readFile(path, what: "authority's key"), as: UTF8.self), from: path)
    }

    private static func key(_ text: String, from source: String) throws -> AuthorityKey {
        guard let key = AuthorityKey(text) else {
            throw CommandFailure(
                """
                There is no authority's key in \(source): it is 32 bytes, as 64 hexadecimal digits or in base64. Make \
                one with openssl rand -hex 32.
                """)
        }
        return key
    }
}
