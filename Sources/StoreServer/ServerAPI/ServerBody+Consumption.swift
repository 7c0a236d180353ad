// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

/// The fields of `ConsumptionRequest` and `ConsumptionRequestV1`.
extension ServerBody {
    private static let deliveries: Set = [
        "DELIVERED", "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM", "UNDELIVERED_SERVER_OUTAGE",
        "UNDELIVERED_OTHER",
    ]
    private static let preferences: Set = ["DECLINE", "GRANT_FULL", "GRANT_PRORATED"]

    /// The numbers of version 1: the last value of each, and its error.
    private static let numbers: [(name: String, last: Int, error: ServerError)] = [
        ("accountTenure", 7, .invalidAccountTenure), ("consumptionStatus", 3, .invalidConsumptionStatus),
        ("deliveryStatus", 5, .invalidDeliveryStatus),
        ("lifetimeDollarsPurchased", 7, .invalidDollarsPurchased),
        ("lifetimeDollarsRefunded", 7, .invalidDollarsRefunded), ("platform", 2, .invalidPlatform),
        ("playTime", 7, .invalidPlayTime), ("userStatus", 4, .invalidUserStatus),
    ]

    /// The information of version 2.
    ///
    /// - Throws: `ServerError` with the number of the wrong field.
    func consumption() throws(ServerError) -> Consumption {
        var fields = try sharedFields()
        let delivery = try text("deliveryStatus", or: .invalidDeliveryStatus)
        guard Self.deliveries.contains(delivery) else { throw .invalidDeliveryStatus }
        fields["deliveryStatus"] = delivery
        if has("consumptionPercentage") {
            let part = try number("consumptionPercentage", in: 0...100_000, or: .consumptionPercentageOutOfRange)
            guard part == 0 || delivery == "DELIVERED" else { throw .consumptionPercentageOfUndelivered }
            fields["consumptionPercentage"] = String(part)
        }
        if has("refundPreference") {
            let preference = try text("refundPreference", or: .invalidRefundPreference)
            guard Self.preferences.contains(preference) else { throw .invalidRefundPreference }
            fields["refundPreference"] = preference
        }
        return Consumption(version: 2, fields: fields)
    }

    /// The information of version 1.
    ///
    /// - Throws: `ServerError` with the number of the wrong field.
    func consumptionOfVersion1() throws(ServerError) -> Consumption {
        var fields = try sharedFields()
        for (name, last, error) in Self.numbers {
            fields[name] = String(try number(name, in: 0...last, or: error))
        }
        let token = try text("appAccountToken", or: .invalidAccountToken)
        guard token.isEmpty || UUID(uuidString: token) != nil else { throw .invalidAccountToken }
        if !token.isEmpty { fields["appAccountToken"] = token.lowercased() }
        if has("refundPreference") {
            fields["refundPreference"] = String(
                try number("refundPreference", in: 0...3, or: .invalidRefundPreference))
        }
        return Consumption(version: 1, fields: fields)
    }

    /// The fields of both versions. A seller may send nothing about a customer
    /// who doesn't consent.
    private func sharedFields() throws(ServerError) -> [String: String] {
        guard try bool("customerConsented", or: .invalidCustomerConsented) else { throw .invalidCustomerConsented }
        let isSample = try bool("sampleContentProvided", or: .invalidSampleContentProvided)
        return ["customerConsented": "true", "sampleContentProvided": String(isSample)]
    }
}
