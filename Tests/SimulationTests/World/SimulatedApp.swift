// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreCore
import StoreTestSupport

@testable import StoreAgent

/// One process of an app: an agent, and an observer of its updates.
final class SimulatedApp: @unchecked Sendable {  // because only the scheduler's thread touches it
    let device: SimulatedDevice
    let bundle: String
    let life: ProcessLife
    let agent: Agent
    private(set) var isObserving = false
    /// The last restore that this process has started.
    private(set) var restoring = Restoring()
    /// The customer's storefront, as the app received it last.
    private var storefront: StorefrontInfo?
    let home: URL
    /// The transactions that are finished after their downloads.
    var awaiting: [String: AgentTransaction] = [:]
    /// The device's event position when a purchase was received, by the
    /// transaction.
    private var told: [String: EventPosition] = [:]
    private var tasks: [Task<Void, Never>] = []
    /// The process's use of StoreKit 2; `nil` in a world without it.
    private(set) lazy var transactions = world.transactions.map { _ in SimulatedTransactions(self) }
    /// How much of both APIs the process uses.
    private var style = Style.queue
    private var world: World { device.world }
    var place: Place { device.place(of: bundle) }

    /// The APIs that a process uses.
    private enum Style: CaseIterable { case queue, transactions, both }

    /// The results of a restore so far.
    struct Restoring {
        /// The transaction identifiers of the original purchases.
        var originals: [String] = []
        var hasFinished = false
        var hasFailed = false
    }

    init(_ device: SimulatedDevice, _ bundle: String, _ life: ProcessLife, root: String) throws {
        self.device = device
        self.bundle = bundle
        self.life = life
        let world = device.world
        home = URL(fileURLWithPath: root + "/home")
        agent = try Agent(
            AgentConfiguration(
                storeURL: URL(string: "http://store.example"), bundleIdentifier: bundle, home: home, trust: world.trust),
            connection: SimulatedConnection(world, device, life),
            presenter: SimulatedPresenter(world: world, device: device, life: life),
            clock: world.scheduler.agentClock(of: device),
            random: AgentRandom(SeededGenerator(seed: world.chance.generator.next())),
            faults: { [weak world] step in world?.reach(step, life) },
            system: SimulatedSystem(world: world, device: device, life: life, root: root),
            logger: .silent)
        obeyRestrictions()
    }

    /// Registers the observer, in most cases, and runs the agent.
    func begin() {
        if world.transactions != nil { style = world.isEnding ? .both : world.chance.pick(Style.allCases) ?? .both }
        if style != .transactions, world.isEnding || !world.chance.happens(100) { observe() }
        if style != .queue { transactions?.begin() }
        agent.observeKeyValues { [world, life] news in
            world.note("\(life.name) gets values: \(news.keys.sorted().joined(separator: " "))")
        }
        start { [agent] in try? await agent.run() }
    }

    func end() {
        for task in tasks { task.cancel() }
        tasks = []
        transactions?.end()
    }

    /// Writes into the device's home whether payments are allowed. Each
    /// process has a home folder of its own in the simulation.
    func obeyRestrictions() {
        let isAllowed = device.restricted == nil || world.mistake == .restrictionsAreIgnored
        do {
            try DeviceRestrictions(home: home).allow(inAppPurchases: isAllowed)
        } catch {
            preconditionFailure("\(home.path) can't be written: \(error)")
        }
    }

    private func start(_ work: @escaping @Sendable () async -> Void) {
        tasks.append(Task(executorPreference: world.scheduler) { await work() })
    }

    func observe() {
        isObserving = true
        agent.observe { [weak self] updates in self?.hear(updates) }
    }

    func stopObserving() {
        world.note("\(life.name) stops observing")
        isObserving = false
        world.witness.stoppedObserving(self)
        agent.stopObserving()
    }

    func buy(_ product: String, quantity: Int, asksToBuy: Bool = false, discount: DiscountInfo? = nil) {
        guard life.isAlive else { return }
        if let transactions, discount == nil, style == .transactions || style == .both && world.chance.happens(500) {
            return transactions.buy(product, quantity: quantity, asksToBuy: asksToBuy)
        }
        let payment = AgentPayment(
            productIdentifier: product, quantity: quantity, simulatesAskToBuy: asksToBuy, discount: discount)
        do {
            let added = try agent.add(payment)
            guard life.isAlive else { return world.witness.brokenOff(at: place) }
            world.note("\(life.name) adds \(product) × \(quantity) as \(added.id.suffix(6))")
            world.witness.added(added, at: place, now: world.scheduler.now)
        } catch {
            world.note("\(life.name) can't add \(product)")
            if !life.isAlive { world.witness.brokenOff(at: place) }
        }
    }

    func restore() {
        guard life.isAlive else { return }
        do {
            restoring = Restoring()
            try agent.restoreCompletedTransactions()
            guard life.isAlive else { return }
            world.note("\(life.name) restores")
            world.witness.restores(self)
        } catch {
            world.note("\(life.name) can't restore")
        }
    }

    /// Refreshes the receipt, with a sign-in if no account is signed in.
    func refresh(_ ended: @escaping () -> Void = {}) {
        guard life.isAlive else { return }
        world.note("\(life.name) refreshes")
        let removals = device.removals
        nonisolated(unsafe) let ended = ended  // because the scheduler's thread alone calls it
        start { [self] in
            do {
                try await agent.refreshReceipt()
                if life.isAlive, device.removals == removals {
                    world.witness.receipts.refreshed(at: place, to: device.receipt(of: bundle))
                }
            } catch {
                world.note("\(life.name) has no fresh receipt")
            }
            ended()
        }
    }

    /// Signs out the device's account.
    func signOut(_ answered: @escaping (Bool) -> Void = { _ in }) {
        guard life.isAlive else { return }
        world.note("\(life.name) signs out")
        world.transactions?.signsOut(of: device)
        nonisolated(unsafe) let answered = answered  // because the scheduler's thread alone calls it
        start { [agent] in
            let answer = try? await agent.store.connection.call(
                SignOutCall(requestIdentifier: agent.random.hexadecimal(bytes: 16)), as: agent.identity.credentials)
            answered(answer != nil)
        }
    }

    /// Writes a value into the key-value store, or removes one.
    func keep(_ value: String?, for key: String) {
        guard life.isAlive else { return }
        let data = value.map { Data($0.utf8) }
        let writer = KeyValueWitness.Writer(device: agent.identity.credentials.identifier, bundle: bundle)
        world.witness.keyValues.writes(key, by: writer)
        do {
            try agent.setKeyValue(data, for: key)
            guard life.isAlive else { return }
            world.note("\(life.name) keeps \(value ?? "nothing") as \(key)")
            world.witness.keyValues.wrote(data, for: key, by: writer, now: world.scheduler.now)
        } catch {
            world.note("\(life.name) can't keep \(key)")
        }
    }

    /// Requests the values that other devices have written.
    func synchronizeKeyValues() {
        guard life.isAlive else { return }
        try? agent.synchronizeKeyValues()
    }

    /// Handles updates as an app's observer does: delivers and finishes
    /// transactions, sooner or later.
    private func hear(_ updates: [AgentUpdate]) {
        guard life.isAlive else { return }
        for update in updates {
            switch update {
            case .updated(let transactions):
                for transaction in transactions { hear(transaction) }
            case .removed(let transactions):
                for transaction in transactions {
                    world.note("\(life.name) loses \(transaction.id.suffix(6))")
                    world.witness.removed(transaction, from: self)
                }
            case .downloads(let downloads):
                hear(downloads)
            case .restoreFinished, .restoreFailed:
                world.note("\(life.name) gets the end of a restore")
                if update == .restoreFinished { restoring.hasFinished = true } else { restoring.hasFailed = true }
                world.witness.restoreEnded(self)
            case .revoked(let revoked):
                let products = revoked.map(\.product)
                world.note("\(life.name) gets the revocation of \(products.sorted().joined(separator: " "))")
                world.witness.revoked(products, at: place)
                agent.acknowledge(revoked)
            case .priceIncrease:
                world.note("\(life.name) gets a price increase")
            case .storefrontChanged(let now, let before):
                world.note("\(life.name) gets the storefront \(now.countryCode)")
                if let storefront, storefront != before {
                    world.witness.complain("\(life.name) got the storefront \(storefront.countryCode), then \(before)")
                }
                storefront = now
                withdrawSome()
            }
        }
    }

    private func hear(_ transaction: AgentTransaction) {
        let number = transaction.transactionIdentifier.map { " as \($0.suffix(6))" } ?? ""
        world.note("\(life.name) gets \(transaction.id.suffix(6)) \(transaction.state)\(number)")
        world.witness.told(transaction, to: self)
        if transaction.state == .restored, let original = transaction.original {
            let isForgotten = world.mistake == .restoresForget && restoring.originals.isEmpty
            restoring.originals.append(isForgotten ? "forgotten" : original.transactionIdentifier)
        }
        if transaction.state == .purchased, let identifier = transaction.transactionIdentifier {
            let position = position
            told[transaction.id] = position
            world.holders.delivered(identifier, at: place, position)
            world.regret(identifier)
        }
        if transaction.isDecided, !awaitsContent(of: transaction) { finishLater(transaction) }
        if world.mistake == .receiptsVanish, transaction.state == .purchased { device.removeReceipt(of: bundle) }
    }

    /// Withdraws some of the open payments after the storefront has changed.
    private func withdrawSome() {
        for transaction in (try? agent.transactions) ?? []
        where !transaction.isDecided && world.chance.happens(500) {
            world.note("\(life.name) withdraws \(transaction.id.suffix(6))")
            world.witness.withdrew(transaction.id)
            try? agent.withdraw(transaction.id)
        }
    }

    func finishLater(_ transaction: AgentTransaction) {
        // Some transactions aren't finished before the next launch.
        if !world.isEnding, world.chance.happens(world.changesDevices ? 400 : 80) { return }
        let pause = world.chance.pause(0..<500, long: 500..<20_000, isLong: 200)
        world.scheduler.after(pause) { [weak self] in self?.finish(transaction) }
    }

    private func finish(_ transaction: AgentTransaction) {
        guard life.isAlive else { return }
        let delivered = transaction.transactionIdentifier.map {
            AgentTransaction.Delivered(
                transactionIdentifier: $0, productIdentifier: transaction.payment.productIdentifier)
        }
        let position = position
        if let identifier = transaction.transactionIdentifier { world.holders.finishes(identifier, at: place) }
        do {
            let finished = try agent.finish(transaction.id, delivered: delivered)
            guard life.isAlive else { return }
            world.note("\(life.name) finishes \(transaction.id.suffix(6)): \(finished == nil ? "late" : "done")")
            guard finished != nil else { return }
            world.witness.finished(transaction, at: place)
            if transaction.state == .purchased, let identifier = transaction.transactionIdentifier {
                world.transactions?.finishedInQueue(identifier, by: transactions, at: place)
            }
            if let identifier = transaction.transactionIdentifier, let told = told[transaction.id], let position {
                world.witness.finished(
                    Witness.Finish(transaction: identifier, place: place, told: told, finished: position))
            }
        } catch {
            world.note("\(life.name) can't finish \(transaction.id.suffix(6))")
        }
    }
}

extension AgentTransaction {
    var isDecided: Bool { state != .purchasing && state != .deferred }
}
