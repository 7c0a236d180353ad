// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Finds the configuration files of tests.
enum ConfigurationFile {
    /// The file with a name, with or without `.storekit`.
    ///
    /// SwiftPM copies the resources of a target into a bundle of their own
    /// next to the executable. On Linux no list of loaded bundles contains it.
    ///
    /// - Throws: ``SKTestError`` `fileNotFound`; the message names the place.
    static func find(_ name: String) throws -> URL {
        let name = name.hasSuffix(".storekit") ? String(name.dropLast(".storekit".count)) : name
        let loaded = [Bundle.main] + Bundle.allBundles
        for bundle in loaded {
            if let url = bundle.url(forResource: name, withExtension: "storekit") { return url }
        }
        let folders = Set(loaded.map { $0.bundleURL.standardizedFileURL }).flatMap(resources)
        for folder in folders.sorted(by: { $0.path < $1.path }) {
            let url = folder.appendingPathComponent("\(name).storekit")
            if FileManager.default.fileExists(atPath: url.path) { return url }
        }
        throw SKTestError(
            .fileNotFound,
            message: """
                There is no \(name).storekit in the resources of \(Bundle.main.bundlePath). Add it to the resources of \
                the test's target, or use init(contentsOf:).
                """)
    }

    private static func resources(beside folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let bundles = names.filter { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }
        return bundles.map { folder.appendingPathComponent($0, isDirectory: true) }
    }
}
