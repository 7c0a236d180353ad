// SPDX-License-Identifier: Apache-2.0

package import StoreService

/// The listener of ``AppleNames`` with TLS, in the sandbox.
package struct NamedListenerConfiguration: Sendable {
    package var host: String
    package var port: Int
    /// The server's certificate, PEM.
    package var certificatePEM: String
    /// The key of the certificate, PEM.
    package var privateKeyPEM: String
    /// Answers the names of production: a store without sales on the same
    /// database.
    package var production: StoreService

    package init(
        host: String, port: Int, certificatePEM: String, privateKeyPEM: String, production: StoreService
    ) {
        self.host = host
        self.port = port
        self.certificatePEM = certificatePEM
        self.privateKeyPEM = privateKeyPEM
        self.production = production
    }
}
