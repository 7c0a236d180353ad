// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreScenarios

/// The file of a scenario on the disk, or one that comes with storectl.
enum ScenarioSource {
    case shipped(ShippedScenario)
    case file(URL)

    /// The largest configuration file, in bytes, as the remote control takes it.
    private static let configurationBytes = 60 << 10

    /// - Throws: ``ScenarioFailure`` when there is neither.
    init(_ argument: String) throws {
        if ShippedScenario.names.contains(argument) {
            self = .shipped(try ShippedScenario.named(argument))
        } else if FileManager.default.fileExists(atPath: argument) {
            self = .file(URL(fileURLWithPath: argument))
        } else {
            throw ScenarioFailure(
                "there is no such file, and no scenario of this name: storectl scenario list prints the names")
        }
    }

    /// - Throws: ``ScenarioFailure``.
    func scenario() throws -> Scenario {
        switch self {
        case .shipped(let shipped): try shipped.scenario()
        case .file(let url): try ScenarioFile.scenario(try Self.read(url, atMost: ScenarioFile.bytes))
        }
    }

    /// The contents of the products' configuration file.
    ///
    /// - Throws: ``ScenarioFailure``.
    func configuration(of scenario: Scenario) throws -> String {
        switch self {
        case .shipped(let shipped): return shipped.configuration
        case .file(let url):
            let file = URL(fileURLWithPath: scenario.configuration, relativeTo: url.deletingLastPathComponent())
            guard let text = String(data: try Self.read(file, atMost: Self.configurationBytes), encoding: .utf8) else {
                throw ScenarioFailure("\(scenario.configuration) isn't UTF-8")
            }
            return text
        }
    }

    private static func read(_ url: URL, atMost bytes: Int) throws -> Data {
        do {
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            let data = try handle.read(upToCount: bytes + 1) ?? Data()
            guard data.count <= bytes else {
                throw ScenarioFailure("\(url.lastPathComponent) has more than \(bytes) bytes")
            }
            return data
        } catch let error as ScenarioFailure {
            throw error
        } catch {
            throw ScenarioFailure("\(url.lastPathComponent) can't be read: \(error.localizedDescription)")
        }
    }
}
