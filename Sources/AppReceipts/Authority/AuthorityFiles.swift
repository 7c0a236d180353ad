// SPDX-License-Identifier: Apache-2.0

/// The names of one certificate's files in an authority's directory.
struct AuthorityFiles {
    /// The certificate, PEM.
    var certificate: String
    /// Its private key, PEM, for the owner's eyes only.
    var key: String

    static let root = AuthorityFiles(certificate: "root.pem", key: "root.key.pem")
    static let intermediate = AuthorityFiles(certificate: "intermediate.pem", key: "intermediate.key.pem")
    static let leaf = AuthorityFiles(certificate: "leaf.pem", key: "leaf.key.pem")
    /// The root certificate once more, DER, for those who import it.
    static let rootDER = "root.cer"
}
