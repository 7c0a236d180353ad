// SPDX-License-Identifier: Apache-2.0

import StoreKit

/// The declarations that Apple's StoreKit doesn't have.
func checkOpenStoreKitAPI() {
    let _: Data? = deviceIdentifier
    var configuration: StoreKitConfiguration = StoreKitConfiguration()
    configuration.storeURL = URL(string: "http://127.0.0.1:8080")
    configuration.bundleIdentifier = "com.example.fruit"
    configuration.applicationVersion = "1.0"
    configuration.home = URL(fileURLWithPath: "/tmp")
    configuration.trust = nil as URL?
    configuration.sheet = "terminal"
    let _: Bool = StoreKitConfiguration.use(configuration)
    let _: URL? = StoreKitConfiguration.receiptURL
}

/// `import StoreKit` alone brings Foundation and, on Linux, its networking.
func checkReexports() {
    let _: Date = Date(timeIntervalSince1970: 0)
    let _: URLSession.Type = URLSession.self
    let _: URLError.Code = .timedOut
}
