// SPDX-License-Identifier: Apache-2.0

@testable import StoreAPI
@testable import StoreDomain
@testable import StoreServer

/// Checks that an accepted form of a customer's page is within its limits, and
/// the same when it is encoded and decoded again.
func checkForm(_ text: String) {
    guard let form = try? CustomerForm(reading: text) else { return }
    checkLimits(of: form)
    if let price = try? form.shownPrice() {
        precondition(Milliunits.range.contains(price.milliunits), "the price \(price.milliunits) was accepted")
    }
    let fields = [
        ("decision", form.decision), ("email", form.email), ("password", form.password), ("shown", form.shown),
    ].compactMap { name, value in value.map { (name, $0) } }
    let again = try? CustomerForm(reading: urlEncoded(fields))
    precondition(
        again?.decision == form.decision && again?.email == form.email && again?.password == form.password
            && again?.shown == form.shown,
        "written and read again, the form is another one")
}

/// Checks that accepted credentials are the same when encoded and decoded
/// again.
func checkCredentials(_ text: String) {
    guard let credentials = DeviceCredentials(authorization: text) else { return }
    precondition(
        DeviceCredentials(authorization: credentials.authorization) == credentials,
        "written and read again, the credentials are others")
}

/// Escapes every byte, so that the required ones are among them.
private func urlEncoded(_ fields: [(String, String)]) -> String {
    fields.map { name, value in
        "\(name)=" + value.utf8.map { ($0 < 16 ? "%0" : "%") + String($0, radix: 16) }.joined()
    }.joined(separator: "&")
}
