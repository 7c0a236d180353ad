// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import StoreDomain
import StoreService

/// A file that a page of Connect offers.
protocol ConnectDownload: Sendable {
    /// The action that it needs.
    static var action: TeamAction { get }

    /// The places of which a request for it takes one.
    static var places: KeyPath<RequestLimits, TeamPlaces> { get }

    /// The file for a user, or for a key in the place of one.
    func file(_ service: StoreService, as user: TeamUser) async throws -> DownloadedFile
}

extension ConnectDownload {
    static var places: KeyPath<RequestLimits, TeamPlaces> { \.connectPlaces }
}

/// A file that a browser saves.
struct DownloadedFile: Sendable {
    /// The name, of which only plain characters are used.
    var name: String
    /// The media type.
    var type: String
    var contents: Data

    /// The answer, which no browser shows in the place of a page.
    var response: Response {
        let plain = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "-" })
        var response = Response.isolated(contents, type: type)
        response.headers[.contentDisposition] = "attachment; filename=\"\(plain)\""
        return response
    }
}
