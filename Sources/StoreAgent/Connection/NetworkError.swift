// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix
import StoreAPI
import StoreCore

extension ConnectionFailure {
    /// Converts an error of the HTTP client into Foundation's terms, because
    /// apps know those. `sent` says whether any of the message may have left
    /// the device.
    static func network(_ error: any Error, sent: Bool, to address: String) -> ConnectionFailure {
        typealias Network = PurchaseFailure.Underlying
        let network: Network
        switch error {
        case let error as NIOConnectionError where error.connectionErrors.isEmpty:
            network = Network(network: Network.cannotFindHost, "There is no host \(error.host) (\(error)).")
        case let error as NIOConnectionError:
            let reasons = error.connectionErrors.map { reason($0.error) }.joined(separator: ", ")
            let isOffline = error.connectionErrors.allSatisfy { meansNoWayOut($0.error) }
            network = Network(
                network: isOffline ? Network.notConnectedToInternet : Network.cannotConnectToHost,
                "There is no connection to \(address): \(reasons).")
        case let error as HTTPClientError where error == .connectTimeout || error == .tlsHandshakeTimeout:
            network = Network(network: Network.timedOut, "\(address) doesn't answer in time.")
        case let error as HTTPClientError where error == .deadlineExceeded:
            network = Network(network: Network.timedOut, "\(address) hasn't answered whole in time.")
        case let error as HTTPClientError where error == .readTimeout:
            network = Network(network: Network.timedOut, "\(address) has been silent for too long.")
        default:
            let unsent = meansNoWayOut(error) ? Network.notConnectedToInternet : Network.cannotConnectToHost
            network = Network(
                network: sent ? Network.networkConnectionLost : unsent,
                "The connection to \(address) failed: \(reason(error)).")
        }
        return ConnectionFailure(reach: sent ? .unanswered : .notSent, underlying: network)
    }
}

/// Whether the error means that the device has no network connection.
private func meansNoWayOut(_ error: any Error) -> Bool {
    guard let error = error as? IOError else { return false }
    return [ENETUNREACH, ENETDOWN, EADDRNOTAVAIL].contains(error.errnoCode)
}

/// The system's description, without the client's type names.
private func reason(_ error: any Error) -> String {
    guard let error = error as? IOError else { return "\(error)" }
    return String(cString: strerror(error.errnoCode))
}
