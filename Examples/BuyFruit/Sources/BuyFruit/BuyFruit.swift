// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import StoreKit

/// The app: a store for fruits, shown by a small server for this computer.
@main
struct BuyFruit {
    @MainActor
    static func main() async {
        // Hummingbird logs at level info that it listens. The app prints its address itself.
        setenv("LOG_LEVEL", "error", 0)
        // An app for one of Apple's platforms has this in its Info.plist.
        var configuration = StoreKitConfiguration()
        configuration.bundleIdentifier = "de.tum.in.www1.sgdws13.BuyFruit"
        StoreKitConfiguration.use(configuration)
        do {
            let port = try port(ProcessInfo.processInfo.environment["BUYFRUIT_PORT"])
            try await serve(port)
        } catch {
            FileHandle.standardError.write(Data("BuyFruit: \(error)\n".utf8))
            exit(1)
        }
    }

    @MainActor
    private static func serve(_ port: Int) async throws {
        // Creating the shop registers its payment queue observer, as early as possible.
        let shop = Shop()
        let address = "http://127.0.0.1:\(port)/"
        let application = Application(
            router: Routes(shop: shop, pages: try Pages()).router(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { _ in
                print("BuyFruit is at \(address)")
                fflush(nil)
                await shop.reload()
            })
        do {
            try await application.runService()
        } catch {
            throw Failure(
                """
                The server on 127.0.0.1, port \(port), has failed: \(error). If another program uses the port, set \
                BUYFRUIT_PORT to a free one.
                """)
        }
    }

    private static func port(_ text: String?) throws -> Int {
        guard let text, !text.isEmpty else { return 8081 }
        guard let port = Int(text), (1...65535).contains(port) else {
            throw Failure("BUYFRUIT_PORT is \"\(text)\", which is no port. Set it to a number from 1 to 65535.")
        }
        return port
    }
}

/// Why the app can't run, in one sentence.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
