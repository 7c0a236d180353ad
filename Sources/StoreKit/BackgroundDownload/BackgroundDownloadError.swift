// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAgent

/// Why a background download wasn't started or has failed.
public struct BackgroundDownloadError: Error, Sendable, Hashable {
    /// The reason.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the reason.
        public var rawValue: String

        /// Makes a reason from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The request can't be sent: its identifier, address, header fields
        /// or time limit.
        public static let request = Code(rawValue: "request")
        /// The identifier is of another request.
        public static let identifierInUse = Code(rawValue: "identifier-in-use")
        /// The app has as many downloads as it can have.
        public static let tooMany = Code(rawValue: "too-many")
        /// The server has refused the request.
        public static let refused = Code(rawValue: "refused")
        /// The address redirects too often, or to an address that isn't
        /// allowed.
        public static let redirect = Code(rawValue: "redirect")
        /// The file is larger than one can be.
        public static let tooLarge = Code(rawValue: "too-large")
        /// The server's answer isn't one of HTTP that can be used.
        public static let answer = Code(rawValue: "answer")
        /// The time limit has passed.
        public static let timeLimit = Code(rawValue: "time-limit")
        /// The disk is full. The bytes so far are kept.
        public static let diskFull = Code(rawValue: "disk-full")
        /// The device's caches can't be written. The bytes so far are kept.
        public static let file = Code(rawValue: "file")
        /// The file was complete, and was removed from the device's caches.
        public static let lost = Code(rawValue: "lost")
    }

    /// The reason.
    public let code: Code
    /// A sentence for the developer, with the remedy.
    public let message: String

    init(_ failure: BackgroundFileFailure?) {
        code = Code(rawValue: failure?.reason.rawValue ?? Code.answer.rawValue)
        message = failure?.message ?? "The download has failed. Start it again."
    }

    static func rethrowing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as BackgroundFileFailure {
            throw BackgroundDownloadError(failure)
        }
    }
}

extension BackgroundDownloadError: LocalizedError {
    /// The message.
    public var errorDescription: String? { message }
}
