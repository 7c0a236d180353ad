// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import StoreKit

/// The app: a garden whose seeds are sold at the store and delivered by its
/// own back end, shown by a small server for this computer.
///
/// FLOWERGARDEN_SERVER is the address of the back end
/// (`http://127.0.0.1:8082`), FLOWERGARDEN_APP_PORT the port of the page
/// (8083), and FLOWERGARDEN_HOME the folder of the app's files.
@main
struct FlowerGarden {
    @MainActor
    static func main() async {
        // Hummingbird logs at level info that it listens. The app prints its address itself.
        setenv("LOG_LEVEL", "error", 0)
        // An app for one of Apple's platforms has this in its Info.plist.
        var configuration = StoreKitConfiguration()
        configuration.bundleIdentifier = "com.example.FlowerGarden"
        StoreKitConfiguration.use(configuration)
        do {
            try await serve(ProcessInfo.processInfo.environment)
        } catch {
            FileHandle.standardError.write(Data("FlowerGarden: \(error)\n".utf8))
            exit(1)
        }
    }

    @MainActor
    private static func serve(_ environment: [String: String]) async throws {
        let address = environment["FLOWERGARDEN_SERVER"] ?? "http://127.0.0.1:8082"
        guard let server = URL(string: address), ["http", "https"].contains(server.scheme), server.host != nil else {
            throw AppFailure("FLOWERGARDEN_SERVER is \"\(address)\". Set it to the address of the back end.")
        }
        guard let port = Int(environment["FLOWERGARDEN_APP_PORT"] ?? "8083"), (1...65535).contains(port) else {
            throw AppFailure("FLOWERGARDEN_APP_PORT can't be used. Set it to a number from 1 to 65535.")
        }
        // Creating the garden registers its payment queue observer, as early as possible.
        let garden = try GardenApp(server: server, folder: folder(environment["FLOWERGARDEN_HOME"]))
        let application = Application(
            router: AppRoutes(garden: garden, pages: try await Pages()).router(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            services: [garden],
            onServerRunning: { _ in
                print("FlowerGarden is at http://127.0.0.1:\(port)/")
                fflush(nil)
            })
        do {
            try await application.runService()
        } catch {
            throw AppFailure(
                """
                The server on 127.0.0.1, port \(port), has failed: \(error). If another program uses the port, \
                set FLOWERGARDEN_APP_PORT to a free one.
                """)
        }
    }

    private static func folder(_ named: String?) -> URL {
        if let named { return URL(fileURLWithPath: named, isDirectory: true) }
        return FileManager.default.homeDirectoryForCurrentUser
            .appendingPathComponent(".local/share/FlowerGarden", isDirectory: true)
    }
}

/// Why the app can't run, or why a button does nothing, in one sentence.
struct AppFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
