// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreAgent

struct DeviceForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Let storeagentd synchronize an app no more, until the app is started again.",
        discussion: "The app's purchases and downloads stay in its journal, and wait for its next launch.")

    @OptionGroup var device: DeviceHome

    @Argument(help: ArgumentHelp("The app.", valueName: "bundle-id"))
    var bundleID: String

    func run() async throws {
        try await storectl.run {
            do {
                try await DeviceDaemon(home: device.url, clock: SystemDependencies.deviceClock).forget(bundleID)
            } catch let refusal as DaemonRefusal {
                throw CommandFailure(refusal.message)
            } catch let error as AgentError {
                throw CommandFailure(error.message)
            }
            print("storeagentd doesn't synchronize \(bundleID) until it is started again.")
        }
    }
}
