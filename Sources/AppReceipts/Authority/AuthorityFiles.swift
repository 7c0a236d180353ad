// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The names of one certificate's files in an authority's directory.
///
/// The chain for JWS is in `jws/`. The OCSP delegates of each chain are in
/// `ocsp/` beside the chain's certificates.
struct AuthorityFiles {
    /// The file's path in the authority's directory, without its extension.
    /// It is also the name of the certificate's entry in a record.
    var path: String

    /// The certificate, PEM.
    var certificate: String { path + ".pem" }
    /// Its private key, PEM, readable by its owner only.
    var key: String { path + ".key.pem" }
    /// The key's name in ``OperatorKeys``: the path with `-` for `/`.
    var keyName: String { path.replacingOccurrences(of: "/", with: "-") }
    /// Whether this is the root certificate of a chain.
    var isRoot: Bool { ChainKind.all.contains { path == AuthorityFiles($0, "root").path } }

    init(path: String) {
        self.path = path
    }

    init(_ kind: ChainKind, _ name: String) {
        path = Self.folder(of: kind) + name
    }

    static func folder(of kind: ChainKind) -> String { kind == .jws ? jwsFolder : "" }

    /// The names of the certificates that a chain is created with.
    static func names(of kind: ChainKind) -> [String] {
        (members + [rootResponder, intermediateResponder]).map { folder(of: kind) + $0 }
    }

    static let members = ["root", "intermediate", "leaf"]
    static let jwsFolder = "jws/"
    static let responderFolder = "ocsp/"
    static let rootResponder = responderFolder + "root"
    static let intermediateResponder = responderFolder + "intermediate"
    /// A copy of the root certificate as DER, for import into other programs.
    static let rootDER = "root.cer"
    /// The list of current leaves, retired leaves and revocations.
    static let index = "index.json"
    /// The file that a process locks while it changes the index.
    static let lock = "index.lock"
}

extension AuthorityIndex.Leaf {
    /// The files of the leaf. Each leaf has its own, so that a new leaf never
    /// overwrites one that is in use.
    var files: AuthorityFiles { AuthorityFiles(slot.kind, "leaf-\(serialNumber)") }
}
