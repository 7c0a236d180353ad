// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import StoreKit

struct StoreKitConfigurationTests {
    @Test("A value that is set in code takes precedence over the environment")
    func whatIsSetInCodeWinsOverTheEnvironment() {
        var configuration = StoreKitConfiguration()
        configuration.storeURL = URL(string: "http://127.0.0.1:9000")
        configuration.home = URL(fileURLWithPath: "/tmp/device")

        let environment = configuration.environment(over: [
            "STOREKIT_STORE_URL": "http://127.0.0.1:8080", "STOREKIT_BUNDLE_ID": "com.example.fruit",
        ])

        #expect(environment["STOREKIT_STORE_URL"] == "http://127.0.0.1:9000")
        #expect(environment["STOREKIT_HOME"] == "/tmp/device")
        #expect(environment["STOREKIT_BUNDLE_ID"] == "com.example.fruit")
        #expect(environment["STOREKIT_SHEET"] == nil)
    }
}
