// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Testing

@testable import StoreAgent

struct ConfigurationTests {
    private func read(_ environment: [String: String]) throws -> AgentConfiguration {
        try AgentConfiguration(environment: environment, logger: .silent)
    }

    @Test("Environment variables set every value of the configuration") func environmentSaysEverything() throws {
        let configuration = try read([
            "STOREKIT_STORE_URL": "http://127.0.0.1:8080", "STOREKIT_BUNDLE_ID": "com.example.fruit",
            "STOREKIT_APP_VERSION": "2.5", "STOREKIT_HOME": "/srv/home", "STOREKIT_TRUST": "/srv/root.cer",
            "STOREKIT_SHEET": "script:/srv/press", "LANG": "de_DE.UTF-8",
        ])

        #expect(configuration.storeURL?.port == 8080)
        #expect(configuration.bundleIdentifier == "com.example.fruit")
        #expect(configuration.applicationVersion == "2.5")
        #expect(configuration.home.path == "/srv/home")
        #expect(configuration.trust?.path == "/srv/root.cer")
        #expect(configuration.sheet == .script(path: "/srv/press"))
        #expect(configuration.languages == ["de_DE"])
    }

    @Test("The home folder follows the XDG directories") func homeFollowsTheXDGDirectories() {
        #expect(AgentEnvironment(["XDG_DATA_HOME": "/data"]).home.path == "/data/storekit")
        #expect(AgentEnvironment(["HOME": "/home/me"]).home.path == "/home/me/.local/share/storekit")
    }

    @Test(
        "An invalid value is an error that names its variable",
        arguments: [
            ("STOREKIT_STORE_URL", "store"), ("STOREKIT_STORE_URL", "ftp://store"), ("STOREKIT_SHEET", "window"),
            ("STOREKIT_SHEET", "script:"), ("STOREKIT_BUNDLE_ID", "../other"),
        ])
    func badValueIsNamedWithItsRemedy(_ variable: String, _ value: String) throws {
        let error = #expect(throws: AgentError.self) {
            try read(["STOREKIT_BUNDLE_ID": "com.example.fruit"].merging([variable: value]) { $1 })
        }
        #expect(error?.code == .configuration)
        #expect(error?.message.contains(variable) == true)
    }

    @Test("A browser's command gets the address in place of %s, or as its last argument")
    func browserCommandTakesTheAddressWhereItSays() {
        #expect(BrowserPresenter.words(of: "firefox --new-tab", address: "a") == ["firefox", "--new-tab", "a"])
        #expect(BrowserPresenter.words(of: "open %s now", address: "a") == ["open", "a", "now"])
    }
}
