// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport
import Testing

@testable import StoreDomain

private let folder = ProcessInfo.processInfo.environment["OPENSTOREKIT_CONFIGURATIONS"]

/// Configuration files of other projects, in a folder that an environment
/// variable names. None is in the repository.
@Suite(
    .enabled(
        if: folder != nil,
        "OPENSTOREKIT_CONFIGURATIONS names no folder with .storekit files: none was imported and exported"))
struct ConfigurationFolderTests {
    private static var files: [String] {
        get throws {
            let place = try #require(folder)
            return try FileManager.default.contentsOfDirectory(atPath: place).filter { $0.hasSuffix(".storekit") }
                .sorted().map { "\(place)/\($0)" }
        }
    }

    @Test(
        "Every file is imported and exported byte for byte, and an edit changes nothing else", arguments: Engine.stores)
    func everyFile(engine: Engine) async throws {
        let files = try Self.files
        #expect(!files.isEmpty, "there is no .storekit file in the folder")
        for path in files {
            let contents = try #require(FileManager.default.contents(atPath: path), "\(path)")
            let app = App(bundleIdentifier: "com.example.shop", name: "Shop")
            let file = try StoreKitConfigurationFile(contents, file: path, bundleIdentifier: app.bundleIdentifier)
            try await engine.withStore { store in
                try await ImportingCatalogue(store.context)(file, into: app)
                let export = ExportingCatalogue(store.context)
                #expect(try await export(app.bundleIdentifier) == contents, "\(path)")

                for product in file.products {
                    try await SettingPrice(store.context)(
                        product.productIdentifier, of: app.bundleIdentifier, in: nil, to: "123.45")
                }
                let edited = try await export(app.bundleIdentifier)
                let (old, new) = (Self.lines(contents), Self.lines(edited))
                #expect(Set(new).subtracting(old).allSatisfy { $0.contains("123.45") }, "\(path)")
                #expect(old.count == new.count, "\(path)")
            }
        }
    }

    @Test("Every product that a file names is sold, and a subscription renews", arguments: Engine.stores)
    func everyProduct(engine: Engine) async throws {
        for path in try Self.files {
            let contents = try #require(FileManager.default.contents(atPath: path), "\(path)")
            try await engine.withStore { store in
                try await store.sellsEveryProduct(of: contents, named: path)
            }
        }
    }

    private static func lines(_ data: Data) -> [Substring] {
        String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }
}
