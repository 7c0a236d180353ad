// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import StoreAPI
import StoreAgent
import StoreCore
import StoreDomain

struct DeviceSignInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in", abstract: "Sign this device in, for all of its apps, on a page of the store.")

    @OptionGroup var device: DeviceHome
    @OptionGroup var store: DeviceStore

    @Option(name: .customLong("bundle-id"), help: "An app of the store. Default: an app of the device.")
    var bundleID: String?

    func run() async throws {
        try await storectl.run {
            let configuration = try store.configuration(of: device)
            let connection = try configuration.makeConnection()
            let account = DeviceAccount(home: device.url)
            let request = SystemDependencies.random.hexadecimal(bytes: 16)
            let bundle = try bundleID ?? appOfDevice()
            var shown: String?
            while let sheet = try await signIn(account, bundle, connection, request) {
                if sheet != shown {
                    try await SheetAddress(sheet, from: configuration.storeURL).present(with: TerminalPresenter())
                }
                shown = sheet
                try await Task.sleep(for: .seconds(1))
            }
            print("\(device.url.path) is signed in.")
        }
    }

    private func signIn(
        _ account: DeviceAccount, _ bundle: String, _ connection: any StoreConnection, _ request: String
    ) async throws -> String? {
        do {
            return try await account.signIn(for: bundle, over: connection, request: request)
        } catch let failure as PurchaseFailure {
            throw CommandFailure("The device isn't signed in. \(failure.message)")
        } catch let failure as StoreFailure {
            throw CommandFailure("The device isn't signed in. \(failure.message)")
        }
    }

    /// The first app that the device has.
    private func appOfDevice() throws -> String {
        let apps = device.url.appendingPathComponent("apps", isDirectory: true).path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: apps)) ?? []
        guard let first = names.filter({ !$0.hasPrefix(".") }).min() else {
            throw CommandFailure(
                "\(device.url.path) has no app yet. Name one of the store: --bundle-id com.example.fruit.")
        }
        return first
    }
}
