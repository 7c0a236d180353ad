// SPDX-License-Identifier: Apache-2.0

/// The operator's settings for a server's metrics.
package struct MetricsConfiguration: Sendable {
    /// The backend that the store's counters were made with.
    package var backend: PrometheusMetrics
    /// An address at which `/metrics` is served alone; `nil` for none.
    package var listener: Listener?
    /// Whether the store's own listener answers `/metrics` to this machine.
    ///
    /// Only for a store that strangers can't reach: a proxy on this machine
    /// sends their requests from a loopback address too.
    package var isShownToThisMachine = false
    /// Measures the time of a request.
    package var uptime: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }

    package init(_ backend: PrometheusMetrics) {
        self.backend = backend
    }

    /// A listener for `/metrics`.
    package struct Listener: Sendable {
        package var host: String
        package var port: Int
        /// The host names that its requests may be sent to; `nil` allows all.
        package var hosts: AllowedHosts?

        package init(host: String, port: Int, hosts: AllowedHosts? = nil) {
            self.host = host
            self.port = port
            self.hosts = hosts
        }
    }
}
