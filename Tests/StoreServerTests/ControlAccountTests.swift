// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StoreDomain
import StoreTestSupport
import Testing

/// The calls of the remote control about accounts.
struct ControlAccountTests {
    @Test("An account is added, changed, shown and listed over the control routes")
    func accounts() async throws {
        try await Engine.sqliteMemory.withControl { store, client in
            func call(_ verb: String, _ body: String) async throws -> [String: Any] {
                let answer = try await client.post("/control/v1/\(verb)", body, headers: .control)
                #expect(answer.status == .ok, "\(verb): \(answer.text)")
                return try answer.object()
            }
            let new = try await call(
                "add-account",
                #"{"email": "a@example.com", "password": "p", "storefront": "DEU", "name": "Anna", "locale": "de"}"#)
            #expect(new["isNew"] as? Bool == true)
            let set = try await call(
                "account", #"{"email": "a@example.com", "name": "Anna B", "passwordRule": "always"}"#)
            #expect(set["name"] as? String == "Anna B" && set["locale"] as? String == "de")
            for setting in AccountSwitch.all {
                let on = try await call("account", #"{"email": "a@example.com", "\#(setting.name)": true}"#)
                #expect(on[setting.name] as? Bool == true)
            }
            let shown = try await call("show-account", #"{"email": "a@example.com"}"#)
            #expect(shown["passwordRule"] as? String == "always")
            #expect(AccountSwitch.all.allSatisfy { shown[$0.name] as? Bool == true })
            let list = try await call("accounts", "{}")
            #expect((list["accounts"] as? [[String: Any]])?.map { $0["email"] as? String } == ["a@example.com"])

            let wrong = try await client.post(
                "/control/v1/account", #"{"email": "a@example.com", "isBarred": "yes"}"#, headers: .control)
            #expect(wrong.status == .badRequest && wrong.code == "malformed")
            let unknown = try await client.post(
                "/control/v1/show-account", #"{"email": "b@example.com"}"#, headers: .control)
            #expect(unknown.status == .notFound)
        }
    }
}
