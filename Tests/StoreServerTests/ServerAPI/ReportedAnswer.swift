// SPDX-License-Identifier: Apache-2.0

import Testing

/// An experiment of a report on wrong answers: the requests that were made, and the answers that are right.
///
/// `$name` is a saved number, `$name.shared` that of the family member who shares it, `$receipt` the receipt of Anna's
/// phone, `$receipt.name` the receipt of one transaction, `$now` the time, and `$now-31` that of 31 days before, both in
/// milliseconds.
struct ReportedAnswer: CustomTestStringConvertible, Sendable {
    /// A request, and its right answer.
    struct Step: Sendable {
        /// `PUT v1/…` is of the App Store Server API, `C name` of the remote control, `POST /…` of the store, and
        /// `buy` and `finish` are of Anna's phone.
        var request: String
        var body = ""
        /// The name of the answer's transaction.
        var saved: String?
        var status = 200
        /// The answer's values by their places, such as `data.0.status`. Signed values and JSON in texts are read, `count`
        /// is of a list, `keys` of an object, `*` is any beginning, and `none` an absent value.
        var values: [String: String] = [:]
    }

    var testDescription: String
    var steps: [Step]

    init(_ name: String, _ steps: [Step]) {
        testDescription = name
        self.steps = steps
    }
}

extension ReportedAnswer.Step {
    /// A call of the remote control.
    static func control(_ name: String, _ body: String, as saved: String? = nil) -> Self {
        Self(request: "C \(name)", body: "{\(body)}", saved: saved)
    }

    /// A purchase of Anna's by the remote control.
    static func buy(_ product: String, _ others: String = "", as saved: String) -> Self {
        control(
            "buy", #""email": "anna@example.com", "bundle": "com.example.fruit", "product": "\#(product)"\#(others)"#,
            as: saved)
    }

    /// A purchase on Anna's phone.
    static func phone(_ product: String, as saved: String) -> Self {
        Self(request: "buy \(product)", saved: saved)
    }

    /// A request that is refused with a number and a text.
    static func refused(_ request: String, _ body: String, _ code: Int, _ text: String) -> Self {
        Self(
            request: request, body: body, status: code / 10_000,
            values: ["errorCode": "\(code)", "errorMessage": text])
    }

    /// A request that is answered with values.
    static func answered(
        _ request: String, _ body: String, status: Int = 200, _ values: [String: String] = [:]
    ) -> Self {
        Self(request: request, body: body, status: status, values: values)
    }

    /// A request without a body that is answered with values.
    static func answered(_ request: String, _ values: [String: String] = [:]) -> Self {
        Self(request: request, values: values)
    }

    /// A customer's request for a refund.
    static func ask(_ name: String, _ reason: String) -> Self {
        control("ask-refund", #""transaction": "$\#(name)", "reason": "\#(reason)""#)
    }

    /// The newest notification of the kind is about a transaction: the seller is asked for information, with the customer's reason.
    static func asked(about name: String, because reason: String) -> Self {
        let payload = "notificationHistory.0.signedPayload"
        return Self(
            request: "POST v1/notifications/history",
            body: #"{"startDate": $now-1, "endDate": $now, "notificationType": "CONSUMPTION_REQUEST"}"#,
            values: [
                "\(payload).data.consumptionRequestReason": reason,
                "\(payload).data.signedTransactionInfo.transactionId": "$\(name)",
            ])
    }
}
