// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix

/// Texts for operators about connections that have failed.
enum BucketNetworkError {
    static func text(_ error: any Error) -> String {
        switch error {
        case let error as HTTPClientError: text(error)
        case let error as NIOConnectionError: "no connection to \(error.host) can be made"
        case let error as IOError: String(cString: strerror(error.errnoCode))
        default: "\(error)".split(separator: "\n").first.map(String.init) ?? "the connection has failed"
        }
    }

    private static func text(_ error: HTTPClientError) -> String {
        switch error {
        case .connectTimeout, .tlsHandshakeTimeout: "no connection was made in time"
        case .deadlineExceeded, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout:
            "the answer didn't arrive in time"
        case .remoteConnectionClosed, .bodyLengthMismatch: "the connection was closed"
        default: error.shortDescription
        }
    }
}
