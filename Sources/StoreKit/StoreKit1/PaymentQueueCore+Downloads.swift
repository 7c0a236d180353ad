// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent

// Downloads of the content of transactions.
extension PaymentQueueCore {
    func start(_ downloads: [SKDownload]) {
        act("start", on: downloads) { try $0.start($1) }
    }

    func pause(_ downloads: [SKDownload]) {
        act("pause", on: downloads) { try $0.pause($1) }
    }

    func resume(_ downloads: [SKDownload]) {
        act("resume", on: downloads) { try $0.resume($1) }
    }

    func cancel(_ downloads: [SKDownload]) {
        act("cancel", on: downloads) { try $0.cancel($1) }
    }

    private func act(
        _ name: String, on downloads: [SKDownload], _ action: (Agent, [AgentDownload.ID]) throws -> Void
    ) {
        guard !downloads.isEmpty else { return }
        do {
            let agent = try host.agent()
            let own = downloads.compactMap(\.contents?.key).filter { $0.queue == agent.configuration.home }
            if own.count < downloads.count {
                AgentHost.say("\(name): a download that isn't of this queue's transactions was left out.")
            }
            try action(agent, own.map(\.identifier))
        } catch {
            AgentHost.say("\(name): \(error)")
        }
        host.settle()
    }

    func notify(_ downloads: [AgentDownload], from agent: Agent?) {
        guard let agent else { return }
        let objects = DownloadObjects.shared.objects(for: downloads, of: nil, in: agent)
        for each in listeners { each.observer.paymentQueue(each.queue, updatedDownloads: objects) }
    }
}
