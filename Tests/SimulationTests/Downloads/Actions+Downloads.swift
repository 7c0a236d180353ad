// SPDX-License-Identifier: Apache-2.0

import StoreAssembly
import StoreDomain
import StoreService

/// The actions of a world of downloads.
extension Actions {
    private static let products = ["apple", "pear", "juice"]

    /// Sells products with content.
    func playDownloads(payments: Int) {
        // A transfer is damaged twice only if it is cut and resumed twice.
        if world.mistake == .resumedRangesAreShifted { world.network.trouble = 250 }
        for bundle in Template.bundles {
            for product in Self.products { world.publish(product, of: bundle) }
        }
        world.pass(20_000)
        while !world.isFound, world.witness.payments.count < payments {
            download()
            world.pass(chance.pause(10..<1500, long: 1500..<30_000, isLong: 60))
        }
        world.pass(Int64(chance.number(in: 0..<60_000)))
    }

    private func download() {
        guard let device = chance.pick(world.devices) else { return }
        guard let app = chance.pick(device.processes) else {
            for bundle in device.bundles { device.launch(bundle) }
            return
        }
        let product = chance.pick(Self.products) ?? ""
        switch chance.number(in: 0..<1000) {
        case 0..<300: app.buy(product, quantity: 1)
        case 300..<540: app.changeDownload()
        case 540..<570: app.restore()
        case 570..<620: world.publish(product, of: app.bundle)
        case 620..<640: world.removeVersion(of: product, in: app.bundle)
        case 640..<670: refund()
        case 670..<690: app.deleteContent(of: product)
        case 690..<750: fillCaches(of: device)
        case 750..<790: launch(app.bundle, on: device)
        case 790..<820: device.kill(app)
        case 820..<945: bringBadLuck(to: device, app)
        case 945..<970: world.stepsUntilEnd = chance.number(in: 0..<20)
        case _ where world.mistake == .resumedRangesAreShifted: break
        default: world.network.trouble = [0, 40, 120, 250, 500][chance.number(in: 0..<5)]
        }
    }

    /// Fills the file system of a device's caches, which the journal isn't on.
    private func fillCaches(of device: SimulatedDevice) {
        world.note("the caches of \(device.name) are full")
        world.downloads?.filled(device.name)
        device.cachesAreFull = true
        world.scheduler.after(Int64(chance.number(in: 100..<20_000))) { device.cachesAreFull = false }
    }
}

/// The orders of the seller.
extension World {
    /// Publishes a new version of a product's content.
    func publish(_ product: String, of bundle: String) {
        guard let content = downloads?.makeVersion(of: product, in: bundle) else { return }
        publish(content, tries: 12)
    }

    /// Uploads and publishes a version, and goes on after a failure.
    private func publish(_ content: SimulatedContent, tries: Int) {
        note("\(content.version) of \(content.product) of \(content.bundle) is published")
        order({ store in
            _ = try await Control.ContentVersion(publishing: content, of: content.bundle, in: store.context)
        }) { [self] result in
            guard case .failure = result else { return downloads?.published(content) ?? () }
            if tries > 0 { scheduler.after(2000) { [self] in publish(content, tries: tries - 1) } }
        }
    }

    /// Removes a version other than the first one.
    func removeVersion(of product: String, in bundle: String) {
        guard let content = chance.pick(downloads?.removable(of: product, in: bundle) ?? []) else { return }
        note("\(content.version) of \(product) of \(bundle) is removed")
        order({ store in
            _ = try await RemovingContent(store.context)(
                ProductIdentifier(product), of: BundleIdentifier(bundle), version: content.version)
        }) { _ in }
    }
}
