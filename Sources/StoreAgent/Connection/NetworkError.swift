// SPDX-License-Identifier: Apache-2.0

internal import AsyncHTTPClient
internal import NIOCore
internal import NIOPosix
internal import StoreAPI

extension ConnectionFailure {
    /// What an error of the HTTP client means: in Foundation's terms, because
    /// apps know those. `sent` says whether any of the message may have left
    /// the device.
    static func network(_ error: any Error, sent: Bool, to address: String) -> ConnectionFailure {
        typealias Network = AgentFailure.Underlying
        let network: Network
        switch error {
        case let error as NIOConnectionError where error.connectionErrors.isEmpty:
            network = Network(network: Network.cannotFindHost, "There is no host \(error.host) (\(error)).")
        case let error as NIOConnectionError:
            let reasons = error.connectionErrors.map { "\($0.error)" }.joined(separator: ", ")
            network = Network(
                network: error.isOffline ? Network.notConnectedToInternet : Network.cannotConnectToHost,
                "There is no connection to \(address): \(reasons).")
        case let error as HTTPClientError where error == .connectTimeout || error == .tlsHandshakeTimeout:
            network = Network(network: Network.timedOut, "\(address) doesn't answer in time.")
        case let error as HTTPClientError where error == .readTimeout || error == .deadlineExceeded:
            network = Network(network: Network.timedOut, "\(address) has been silent for too long.")
        default:
            let code = sent ? Network.networkConnectionLost : Network.cannotConnectToHost
            network = Network(network: code, "The connection to \(address) failed: \(error)")
        }
        return ConnectionFailure(reach: sent ? .unanswered : .notSent, underlying: network)
    }
}

extension NIOConnectionError {
    /// Whether every attempt failed for want of a way out.
    fileprivate var isOffline: Bool {
        let codes: Set<CInt> = [ENETUNREACH, ENETDOWN, EADDRNOTAVAIL]
        return connectionErrors.allSatisfy { failure in
            (failure.error as? IOError).map { codes.contains($0.errnoCode) } ?? false
        }
    }
}
