// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging

extension AgentDaemon {
    /// Checks that the daemon can synchronize one more app. Each has open
    /// files, memory and a part of the event stream.
    ///
    /// - Throws: ``DaemonRefusal`` with the code `apps`.
    func checkRoom(for bundle: String, beside apps: [String: Served]) throws {
        let others = apps.count(where: { $0.key != bundle && $0.value.agent != nil })
        guard others >= appLimit else { return }
        throw DaemonRefusal(
            code: .apps,
            message: """
                storeagentd synchronizes \(appLimit) apps and takes no other one, so that \(bundle) synchronizes its \
                purchases without it. Remove one that isn't used: storectl device forget BUNDLE-ID. The apps are listed \
                by storectl device status.
                """)
    }

    /// Ends the service of an app whose agent has ended with an error. The
    /// app's processes synchronize it from then on.
    func letGo(_ agent: DaemonAgent, _ error: any Error, _ apps: inout [String: Served]) {
        let bundle = agent.app.bundleIdentifier
        guard apps[bundle]?.agent === agent else { return }
        let refusal = DaemonRefusal(error)
        logger.error("\(bundle) isn't synchronized any more: \(refusal.message)")
        apps[bundle]?.agent = nil
        apps[bundle]?.failure = refusal.message
        files.remove(folder.registration(of: bundle))
        apps[bundle]?.sheets.closeAll()
    }

    /// Forgets an app that doesn't run, and answers with the daemon's state.
    /// The app's journal stays, and the app's next launch is served again.
    func forget(_ question: DaemonLine, _ channel: DaemonChannel, _ apps: inout [String: Served]) async {
        do {
            let bundle = try AgentEnvironment.checkedIdentifier(question.bundle ?? "")
            guard apps[bundle]?.sheets.count ?? 0 == 0 else {
                throw DaemonRefusal(code: .running, message: "\(bundle) runs. End it, and repeat the command.")
            }
            do {
                try DaemonRegistration.remove(bundle, folder, files)
            } catch let refusal as DaemonRefusal where refusal.code == .unknown && apps[bundle] != nil {
                // A refused app is listed without a registration.
            }
            await apps[bundle]?.agent?.stop()
            apps[bundle] = nil
            channel.send(DaemonLine(status: status(apps)))
        } catch {
            channel.send(DaemonLine(refusal: DaemonRefusal(error)))
        }
    }
}
