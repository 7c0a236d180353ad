// SPDX-License-Identifier: Apache-2.0

import StoreDomain

extension MetricDefinition {
    /// The names of the metrics that the server records.
    enum Name {
        static let build = "openstorekit_build_info"
        static let requests = "openstorekit_http_requests_total"
        static let requestDuration = "openstorekit_http_request_duration_seconds"
        static let connections = "openstorekit_http_connections"
        static let streams = "openstorekit_event_streams"
        static let streamedApps = "openstorekit_event_stream_apps"
        static let contentStreams = "openstorekit_content_streams"
        static let databaseReachable = "openstorekit_database_reachable"
        static let databaseConnections = "openstorekit_database_connections"
        static let databaseWaiting = "openstorekit_database_waiting"
        static let passwordHashes = "openstorekit_password_hashes"
        static let backlog = "openstorekit_backlog"
        static let backlogAge = "openstorekit_backlog_oldest_age_seconds"
        static let leases = "openstorekit_leases"
        static let droppedSeries = "openstorekit_metric_series_dropped_total"
    }

    /// The upper bounds for the duration of a request: from a file that is in
    /// memory to a client that waits for a payment provider.
    private static let durations = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    /// The metrics of a store. `docs/metrics.md` lists them, and a test
    /// compares the two.
    package static let store: [MetricDefinition] = [
        MetricDefinition(
            Name.build, .gauge, labels: ["version", "configuration"], unit: "always 1",
            help: "The version of the running store, and how it was compiled: release or debug."),
        MetricDefinition(
            Name.requests, .counter, labels: ["route", "method", "status"], unit: "requests",
            help: "Requests that were answered, by the template of their route."),
        MetricDefinition(
            Name.requestDuration, .histogram, labels: ["route", "method"], unit: "seconds",
            help: "Time from a request's head to the response's head; the time to send the body isn't included.",
            buckets: durations),
        MetricDefinition(Name.connections, .gauge, unit: "connections", help: "Open connections of clients."),
        MetricDefinition(
            StoreMeters.Name.purchases, .counter, labels: ["environment", "kind"], unit: "purchases",
            help: "Purchases that this process has committed, also those that cost nothing."),
        MetricDefinition(
            StoreMeters.Name.declines, .counter, labels: ["environment", "kind"], unit: "payments",
            help: "Payments that the payment provider declined."),
        MetricDefinition(
            StoreMeters.Name.refunds, .counter, labels: ["environment", "kind"], unit: "refunds",
            help: "Refunds that this process has committed."),
        MetricDefinition(
            StoreMeters.Name.refundReversals, .counter, labels: ["environment", "kind"], unit: "refunds",
            help: "Refunds that this process has taken back."),
        MetricDefinition(
            StoreMeters.Name.signatures, .counter, labels: ["form"], unit: "signatures",
            help: "Signatures of app receipts, of transaction receipts, and of the JWS for sellers' servers."),
        MetricDefinition(Name.streams, .gauge, unit: "streams", help: "Open event streams."),
        MetricDefinition(
            Name.streamedApps, .gauge, unit: "apps",
            help: "Apps in the open event streams, counted for each device and stream."),
        MetricDefinition(
            Name.contentStreams, .gauge, unit: "downloads", help: "Downloads of hosted content that are under way."),
        MetricDefinition(
            StoreMeters.Name.contentBytes, .counter, unit: "bytes",
            help: "Bytes of hosted content that this process has read to send them."),
        MetricDefinition(
            StoreMeters.Name.contentRedirects, .counter, unit: "requests",
            help: "Requests for hosted content that were redirected to the bucket."),
        MetricDefinition(
            StoreMeters.Name.bucketRequests, .counter, labels: ["result"], unit: "requests",
            help: "Requests to the bucket with hosted content."),
        MetricDefinition(
            StoreMeters.Name.contentUploads, .counter, labels: ["result"], unit: "uploads",
            help: "Uploads of hosted content that have ended."),
        MetricDefinition(
            StoreMeters.Name.notificationAttempts, .counter, labels: ["result"], unit: "attempts",
            help: "Attempts of this process to send a notification to an address of a seller."),
        MetricDefinition(
            StoreMeters.Name.droppedSignals, .counter, unit: "signals",
            help: "Signals that an event stream had no room for. Each ended its stream, and the device connects again."),
        MetricDefinition(
            Name.databaseReachable, .gauge, unit: "0 or 1",
            help: "Whether the database could be reached when it was used last."),
        MetricDefinition(
            Name.databaseConnections, .gauge, labels: ["state"], unit: "connections",
            help: "Database connections that run a closure or are idle. On SQLite only the writer is counted."),
        MetricDefinition(
            Name.databaseWaiting, .gauge, labels: ["access"], unit: "closures",
            help: "Closures that wait for the database."),
        MetricDefinition(
            Name.passwordHashes, .gauge, unit: "hashes", help: "Password hashes of sign-ins that wait or run."),
        MetricDefinition(
            Name.backlog, .gauge, labels: ["work"], unit: "pieces of work",
            help: """
                Work that is due or under way in the database, of all processes: payments with refunds, steps of \
                subscriptions, events of the payment provider, sheets to end, messages, Family Sharing, changes of \
                prices, extensions of all subscribers, charges that aren't counted as sales, and undelivered \
                notifications. NaN if it can't be read.
                """),
        MetricDefinition(
            Name.backlogAge, .gauge, labels: ["work"], unit: "seconds",
            help: "Age of the oldest piece of that work; 0 if there is none."),
        MetricDefinition(
            Name.leases, .gauge, labels: ["work", "state"], unit: "leases",
            help: """
                Leases on work that isn't complete, of all processes: held by a process, or expired because it ended. \
                NaN if the database can't be read.
                """),
        MetricDefinition(
            Name.droppedSeries, .counter, unit: "series",
            help: "Series that aren't shown because their metric has too many, or other labels."),
    ]
}
