// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import StoreDomain

/// The results of requests that have no answer.
enum OutboundFailure {
    static func result(_ error: any Error) -> NotificationResult {
        switch error {
        case let error as HTTPClientError: result(error)
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: .tlsIssue
        case is HTTPParserError: .invalidResponse
        case is NIOConnectionError, is IOError, is ChannelError, is UnknownName: .socketIssue
        default: .other
        }
    }

    private static func result(_ error: HTTPClientError) -> NotificationResult {
        switch error {
        case .connectTimeout: .noResponse
        case .tlsHandshakeTimeout: .tlsIssue
        case .deadlineExceeded, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout: .timedOut
        case .remoteConnectionClosed, .bodyLengthMismatch: .prematureClose
        default: .other
        }
    }
}
