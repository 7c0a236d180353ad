// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreServer

extension ServeCommand {
    /// Checks that the store can listen at its addresses. An ephemeral store
    /// with port 0 gets a free port, which it has until the value is destroyed.
    ///
    /// - Throws: ``CommandFailure``.
    mutating func takePort() throws -> PortReservation? {
        guard listen.port == 0 else {
            try listen.check()
            return nil
        }
        let reserved = try listen.reserve()
        listen = reserved.address
        return reserved.reservation
    }

    /// Checks the address of `--public-url`: certificates, receipts and links
    /// begin with it.
    ///
    /// - Throws: `ValidationError`.
    func validatePublicURL() throws {
        guard let publicURL else { return }
        let parts = URLComponents(string: publicURL)
        let isAddress =
            publicURL.utf8.count <= 1000 && ["http", "https"].contains(parts?.scheme) && parts?.host?.isEmpty == false
            && parts?.user == nil && parts?.query == nil && parts?.fragment == nil
        guard isAddress else {
            throw ValidationError("--public-url takes an address such as https://store.example, not \"\(publicURL)\".")
        }
    }

    /// The address at which customers reach the store, without a slash at the
    /// end.
    var address: String {
        publicURL.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 } ?? "http://\(listen.text)"
    }

    /// The host names that the store answers to.
    var hosts: AllowedHosts {
        let customers = URL(string: address)?.host.map { [$0] } ?? []
        return AllowedHosts(
            ["127.0.0.1", "localhost", "[::1]", listen.host] + customers + allowHost,
            allowsAddresses: ["0.0.0.0", "::"].contains(listen.host))
    }

    /// `/metrics` is on the listener of the store only if that listener and
    /// the address for customers are this machine's: behind a proxy on this
    /// machine, every stranger has a loopback address.
    func metricsConfiguration(_ backend: PrometheusMetrics) -> MetricsConfiguration {
        var metrics = MetricsConfiguration(backend)
        metrics.listener = metricsListen.map { address in
            MetricsConfiguration.Listener(
                host: address.host, port: address.port,
                hosts: AllowedHosts(
                    ["127.0.0.1", "localhost", "[::1]", address.host] + allowHost, allowsAddresses: true))
        }
        let publicHost = URL(string: address)?.host ?? ""
        metrics.isShownToThisMachine =
            metricsListen == nil && trustedProxy.isEmpty && listen.isLoopback
            && ListenAddress.isLoopback(host: publicHost)
        return metrics
    }
}
