// SPDX-License-Identifier: Apache-2.0

import StoreDomain

extension TesterValues {
    /// The tester of a body.
    init(reading body: inout ConnectBody) {
        self.init(
            email: body.text("email") ?? "", password: body.text("password") ?? "", name: body.text("name") ?? "",
            storefront: body.text("storefront") ?? "")
    }
}

extension TesterSettings {
    /// Replaces the settings that a body has (JSON merge patch, RFC 7396).
    mutating func read(_ body: inout ConnectBody) {
        if let text = body.text("name") { name = text }
        if let text = body.text("storefront") { storefront = text }
        for (name, isOn) in (body.boolsByName("switches") ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let setting = AccountSwitch.all.first(where: { $0.name == name }) else {
                body.add("switches.\(name.prefix(40))", .unknown)
                continue
            }
            if isOn { switches.insert(setting) } else { switches.remove(setting) }
        }
    }
}

extension MovingClock.Move {
    /// The change of a clock in a body: `by` a length, or the `speed`.
    ///
    /// - Throws: `InvalidFields` for a value that isn't one of the choices.
    init(reading body: inout ConnectBody) throws {
        if let speed = body.text("speed") {
            self = try ClockChoice.speed(speed)
        } else {
            self = try ClockChoice.move(body.text("by") ?? "")
        }
    }
}
