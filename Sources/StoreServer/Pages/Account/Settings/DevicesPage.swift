// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService

/// The page of the devices on which an account is signed in.
struct DevicesPage: AccountPage {
    static let place = AccountPlace.devices
    let service: StoreService

    /// The texts of the page.
    private enum Words {
        static let none = "The account is signed in on no device."
        static let remove = "Sign out on this device"
        static let removed = "The account is signed out on the device."

        static func name(_ identifier: String) -> String { "Device \(identifier)" }
        static func apps(_ names: String) -> String { "Apps: \(names)" }
        static func seen(_ date: String) -> String { "Last used on \(date)." }
    }

    func contents(of account: Account, _ session: BrowserSession?) async throws -> SettingsContents {
        let devices = try await service.devices(of: account)
        let entries = devices.map { device in
            let apps = device.apps.map(\.rawValue).joined(separator: ", ")
            let seen = device.seen.map { Words.seen(SettingsWords.date($0)) }
            return SettingsEntry(
                title: Words.name(String(device.identifier.rawValue.prefix(8))),
                details: [seen, apps.isEmpty ? nil : Words.apps(apps)].compactMap(\.self),
                forms: [
                    SettingsForm(
                        name: "device", value: device.identifier.rawValue,
                        buttons: [.init(decision: "remove", title: Words.remove)])
                ])
        }
        return SettingsContents(
            paragraphs: entries.isEmpty ? [Words.none] : [], entries: entries,
            json: Answer(
                devices: devices.map { device in
                    .init(
                        device: device.identifier.rawValue, registered: device.registered.milliseconds,
                        seen: device.seen?.milliseconds, apps: device.apps.map(\.rawValue))
                }))
    }

    func carryOut(
        _ form: CustomerForm, of account: Account, _ session: BrowserSession?
    ) async throws -> AccountPageOutcome {
        switch form.decision {
        case "show": return .stays(nil)
        case "remove":
            try await service.remove(DeviceIdentifier(form.device ?? ""), of: account)
            return .stays(Words.removed)
        default:
            throw StoreFailure(.invalid, "decision is show, remove or sign-out.")
        }
    }

    /// The devices for a script; times are in milliseconds since 1970.
    private struct Answer: Encodable {
        struct Listed: Encodable {
            var device: String
            var registered: Int64
            var seen: Int64?
            var apps: [String]
        }

        var devices: [Listed]
    }
}
