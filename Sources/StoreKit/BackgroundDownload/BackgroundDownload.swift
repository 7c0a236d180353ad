// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAgent

/// A download from the seller's own server that goes on while the app doesn't
/// run.
///
/// This type is an addition: Apple's StoreKit doesn't have it. It is for
/// products whose content the seller's server hosts. Where `storeagentd` runs,
/// it goes on with the download after the app has ended. Without it, the
/// download resumes at the app's next launch, with its first use of StoreKit.
///
/// ```swift
/// let request = BackgroundDownload.Request(id: "roses", url: url, fields: ["Authorization": "Bearer …"])
/// try BackgroundDownload.start(request)
/// for await download in BackgroundDownload.updates {
///     guard case .finished(let file) = download.state else { continue }
///     try keep(file)
///     try BackgroundDownload.acknowledge(download.id)
/// }
/// ```
public struct BackgroundDownload: Sendable, Hashable, Identifiable {
    /// The states of a download.
    public enum State: Sendable, Hashable {
        /// The download waits for its turn or for the network, or runs.
        case running
        /// The file is complete. It is of the device's caches: copy, move or
        /// read it, and acknowledge the download then.
        case finished(URL)
        /// The download has failed. ``BackgroundDownload/start(_:)`` with the
        /// same request goes on.
        case failed(BackgroundDownloadError)
    }

    /// The identifier that the app has chosen.
    public let id: String
    /// The address that was requested.
    public let url: URL
    /// The state.
    public let state: State
    /// The number of bytes that are on disk.
    public let receivedBytes: Int64
    /// The number of bytes of the whole file; `nil` until the server has sent
    /// it.
    public let expectedBytes: Int64?
}

extension BackgroundDownload {
    /// Starts a download. It is durable when this returns.
    ///
    /// A download of the same request that runs or is finished is returned as
    /// it is; one that has failed goes on, with a new time limit. One whose
    /// file was removed from the device's caches begins anew.
    ///
    /// - Throws: ``BackgroundDownloadError`` for a request that can't be sent,
    ///   an identifier of another request and too many downloads; another
    ///   error when the device's folder can't be written.
    @discardableResult
    public static func start(_ request: Request) throws -> BackgroundDownload {
        let accepted = try request.accepted
        let agent = try AgentHost.shared.agent()
        let file = try BackgroundDownloadError.rethrowing { try agent.start(accepted) }
        AgentHost.shared.settle()
        return BackgroundDownload(file)
    }

    /// The downloads that aren't acknowledged or cancelled, in the order in
    /// which they were started.
    ///
    /// - Throws: an error when the device's folder can't be read.
    public static var all: [BackgroundDownload] {
        get throws { try AgentHost.shared.agent().backgroundFiles().map(BackgroundDownload.init) }
    }

    /// The downloads as they are now, and then each change: progress, at most
    /// once a second for each download, the end, a failure.
    ///
    /// A finished download is delivered at each launch until
    /// ``acknowledge(_:)`` is called for it. The stream ends when StoreKit
    /// can't be started; the reason is written to standard error.
    public static var updates: AsyncStream<BackgroundDownload> {
        AsyncStream { continuation in
            guard let agent = try? AgentHost.shared.agent() else { return continuation.finish() }
            let observer = agent.observeBackgroundFiles { files in
                for file in files { continuation.yield(BackgroundDownload(file)) }
            }
            continuation.onTermination = { [weak agent] _ in agent?.stopObservingBackgroundFiles(observer) }
        }
    }

    /// Ends a download that was handled: its file is deleted if the app hasn't
    /// moved it, and the identifier is free. Does nothing without a download
    /// of the identifier that is finished.
    ///
    /// - Throws: an error when the device's folder can't be written.
    public static func acknowledge(_ id: String) throws {
        try AgentHost.shared.agent().endBackgroundFile(id, ifFinished: true)
        AgentHost.shared.settle()
    }

    /// Ends a download in any state, and deletes its bytes. Does
    /// nothing without a download of the identifier.
    ///
    /// - Throws: an error when the device's folder can't be written.
    public static func cancel(_ id: String) throws {
        try AgentHost.shared.agent().endBackgroundFile(id, ifFinished: false)
        AgentHost.shared.settle()
    }

    init(_ file: BackgroundFile) {
        id = file.identifier
        url = URL(string: file.address) ?? URL(fileURLWithPath: "/")
        receivedBytes = file.received
        expectedBytes = file.length
        switch file.phase {
        case .running, .ended: state = .running
        case .finished: state = .finished(file.file ?? URL(fileURLWithPath: "/"))
        case .failed: state = .failed(BackgroundDownloadError(file.failure))
        }
    }
}
