// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService

/// The page of the devices on which an account is signed in.
struct DevicesPage: AccountPage {
    static let place = AccountPlace.devices
    let service: StoreService

    func contents(
        of account: Account, _ session: BrowserSession?, in language: PageLanguage
    ) async throws -> SettingsContents {
        let words = DevicesWords.words(language)
        let devices = try await service.devices(of: account)
        let entries = devices.map { device in
            let apps = device.apps.map(\.rawValue).joined(separator: ", ")
            let seen = device.seen.map { words.fill(\.seen, ["date": language.date($0)]) }
            return SettingsEntry(
                title: words.fill(\.name, ["number": String(device.identifier.rawValue.prefix(8))]),
                details: [seen, apps.isEmpty ? nil : words.fill(\.apps, ["names": apps])].compactMap(\.self),
                forms: [
                    SettingsForm(
                        name: "device", value: device.identifier.rawValue,
                        buttons: [.init(decision: "remove", title: words.remove)])
                ])
        }
        return SettingsContents(
            paragraphs: entries.isEmpty ? [words.none] : [], entries: entries,
            json: Answer(
                devices: devices.map { device in
                    .init(
                        device: device.identifier.rawValue, registered: device.registered.milliseconds,
                        seen: device.seen?.milliseconds, apps: device.apps.map(\.rawValue))
                }))
    }

    func carryOut(
        _ form: CustomerForm, of account: Account, _ session: BrowserSession?, in language: PageLanguage
    ) async throws -> AccountPageOutcome {
        let words = DevicesWords.words(language)
        switch form.decision {
        case "show": return .stays(nil)
        case "remove":
            try await service.remove(DeviceIdentifier(form.device ?? ""), of: account)
            return .stays(words.removed)
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
