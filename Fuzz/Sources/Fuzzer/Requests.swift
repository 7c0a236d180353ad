// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore

@testable import StoreAPI
@testable import StoreDomain
@testable import StoreServer

/// A query of the events' route that is accepted is within its limits, and is
/// the same one when it is written and read again.
func checkQuery(_ text: String) {
    func read(_ text: String) -> EventsQuery? {
        try? EventsQuery(URI("\(StorePath.folder)/\(StorePath.events)?\(text)").queryParameters)
    }
    guard let query = read(text) else { return }
    precondition(Identifier.bytes.contains(query.bundleIdentifier.utf8.count), "an app's identifier was accepted")
    checkLimits(of: query)
    var fields = [("bundle", query.bundleIdentifier)]
    if let position = query.position {
        precondition(EventNumber.range.contains(position.number), "the number \(position.number) was accepted")
        fields += [("account", position.account), ("after", String(position.number))]
    }
    let again = read(urlEncoded(fields))
    precondition(
        again?.bundleIdentifier == query.bundleIdentifier && again?.position == query.position,
        "written and read again, the query is another one")
}

/// What goes for a query goes for the form of a payment sheet.
func checkForm(_ text: String) {
    guard let form = try? SheetForm(reading: text) else { return }
    checkLimits(of: form)
    if let price = try? form.shownPrice() {
        precondition(Milliunits.range.contains(price.milliunits), "the price \(price.milliunits) was accepted")
    }
    let fields = [
        ("decision", form.decision), ("email", form.email), ("password", form.password), ("shown", form.shown),
    ].compactMap { name, value in value.map { (name, $0) } }
    let again = try? SheetForm(reading: urlEncoded(fields))
    precondition(
        again?.decision == form.decision && again?.email == form.email && again?.password == form.password
            && again?.shown == form.shown,
        "written and read again, the form is another one")
}

/// Credentials that are accepted have one text.
func checkCredentials(_ text: String) {
    guard let credentials = DeviceCredentials(authorization: text) else { return }
    precondition(
        DeviceCredentials(authorization: credentials.authorization) == credentials,
        "written and read again, the credentials are others")
}

/// Every byte is escaped, so that it doesn't matter which ones have to be.
private func urlEncoded(_ fields: [(String, String)]) -> String {
    fields.map { name, value in
        "\(name)=" + value.utf8.map { ($0 < 16 ? "%0" : "%") + String($0, radix: 16) }.joined()
    }.joined(separator: "&")
}
