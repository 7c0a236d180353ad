// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The names of one certificate's files in an authority's directory.
///
/// The chain for JWS is in `jws/`, the delegates for OCSP of each chain in
/// `ocsp/` beside its certificates.
struct AuthorityFiles {
    /// The file's path in the authority's directory, without its extension.
    var path: String

    /// The certificate, PEM.
    var certificate: String { path + ".pem" }
    /// Its private key, PEM, for the owner's eyes only.
    var key: String { path + ".key.pem" }
    /// What an operator calls the key: the path with `-` for `/`.
    var keyName: String { path.replacingOccurrences(of: "/", with: "-") }

    init(_ kind: ChainKind, _ name: String) {
        path = Self.folder(of: kind) + name
    }

    static func folder(of kind: ChainKind) -> String { kind == .jws ? jwsFolder : "" }

    static func members(of kind: ChainKind) -> [String] { ["root", "intermediate", "leaf"] }

    static let jwsFolder = "jws/"
    static let responderFolder = "ocsp/"
    static let rootResponder = responderFolder + "root"
    static let intermediateResponder = responderFolder + "intermediate"
    /// The root certificate once more, DER, for those who import it.
    static let rootDER = "root.cer"
    /// Which leaves sign, which did, and what was revoked.
    static let index = "index.json"
    /// Held while the index is changed.
    static let lock = "index.lock"
}
