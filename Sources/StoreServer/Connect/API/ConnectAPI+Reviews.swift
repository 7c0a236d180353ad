// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import StoreAPI
import StoreCore
import StoreDomain
import StoreService

/// The operator's review, for keys of the operator's team. Other teams don't
/// find it (404).
extension ConnectAPI {
    func addReviews(to router: StoreRouter) {
        router.get("/connect/v1/reviews") { request, context in
            await respond(request, context) { caller in try await Self.queue(request.queryValues, caller) }
        }
        router.get("/connect/v1/reviews/:app/:product") { request, context in
            await respond(request, context) { caller in
                try await Self.submission(of: try ProductPlace(context), caller).response()
            }
        }
        router.get("/connect/v1/reviews/:app/:product/screenshot") { request, context in
            await respond(request, context) { caller in
                let (place, reader) = (try ProductPlace(context), caller.service.reviewReader)
                let found = try await reader.submission(of: place.product, in: place.app, as: caller.user)
                guard let screenshot = found.submission.screenshot else {
                    throw DomainError(.notFound, "There is no such image.")
                }
                let image = try await reader.screenshot(
                    screenshot.digest, of: place.product, in: place.app, as: caller.user)
                return .isolated(image.bytes, type: image.type)
            }
        }
        router.post("/connect/v1/reviews/:app/:product/decision") { request, context in
            await respond(request, context) { caller in try await decideReview(request, context, caller) }
        }
    }

    private static func queue(_ query: [String: String], _ caller: ConnectCaller) async throws -> Response {
        try caller.user.require(.reviewProducts)
        let state = query["state"] ?? ""
        guard state.isEmpty || [ProductReview.State.waiting, .inReview].contains(where: { $0.rawValue == state }) else {
            throw InvalidFields(unknown: "state")
        }
        let place = query["after"]?.nonEmpty.flatMap(ReviewingProducts.Entry.init(text:))
        if place == nil, query["after"]?.nonEmpty != nil {
            throw InvalidFields(problems: [FieldProblem(field: "after", kind: .malformed)])
        }
        let page = try await caller.service.reviewReader.page(
            containing: query["search"] ?? "", state: state, by: try Self.sort(query, ReviewSort.self), after: place,
            as: caller.user)
        return .json(
            ConnectAnswers.Submissions(
                submissions: page.entries.map(ConnectAnswers.ListedSubmission.init), next: page.next?.text))
    }

    private static func submission(of place: ProductPlace, _ caller: ConnectCaller) async throws -> ConnectSaved {
        let found = try await caller.service.reviewReader.submission(
            of: place.product, in: place.app, as: caller.user)
        return ConnectSaved(
            ConnectAnswers.Submission(found.submission, of: found.teamName, in: caller.service),
            version: String(found.submission.registration.version))
    }

    private func decideReview(
        _ request: Request, _ context: StoreRequestContext, _ caller: ConnectCaller
    ) async throws -> Response {
        try caller.user.require(.reviewProducts)
        let place = try ProductPlace(context)
        let version = try Self.version(of: request)
        let (text, reason) = try await read(request, context) { body in
            (body.text("decision") ?? "", body.text("reason") ?? "")
        }
        guard let decision = ProductReview.Decision(rawValue: text) else { throw InvalidFields(unknown: "decision") }
        return try await changing {
            try await Self.submission(of: place, caller)
        } _: {
            try await caller.service.reviewingProducts().decide(
                decision, on: place.product, of: place.app, reason: reason, version: version, by: caller.user)
        }
    }
}

extension ReviewingProducts.Entry {
    /// The place in the queue as a text, such as `1700000000000/com.example.fruit/banana`.
    var text: String {
        "\(submitted.milliseconds)/\(app.rawValue.percentEncodedForQuery)/\(product.rawValue.percentEncodedForQuery)"
    }

    /// The place of a text; `nil` for another text.
    init?(text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let submitted = Int64(parts[0]), let app = parts[1].removingPercentEncoding,
            let product = parts[2].removingPercentEncoding
        else { return nil }
        self.init(
            app: BundleIdentifier(app), product: ProductIdentifier(product), state: .waiting,
            submitted: WallTime(milliseconds: submitted), version: 0)
    }
}
