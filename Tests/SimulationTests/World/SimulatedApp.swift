// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreAPI
import StoreTestSupport

@testable import StoreAgent

/// One process of an app: an agent, and what an app does with what it is told.
final class SimulatedApp: @unchecked Sendable {  // because only the scheduler's thread touches it
    let device: SimulatedDevice
    let life: ProcessLife
    let agent: Agent
    private(set) var isObserving = false
    private var tasks: [Task<Void, Never>] = []
    private var world: World { device.world }

    init(_ device: SimulatedDevice, _ life: ProcessLife, root: String) throws {
        self.device = device
        self.life = life
        let world = device.world
        agent = try Agent(
            AgentConfiguration(
                storeURL: URL(string: "http://store.example"), bundleIdentifier: TestStore.bundleIdentifier,
                home: URL(fileURLWithPath: root + "/home"), trust: world.trust),
            connection: SimulatedConnection(world, device, life),
            presenter: SimulatedPresenter(world: world, device: device, life: life),
            clock: world.scheduler.agentClock,
            random: AgentRandom(SeededGenerator(seed: world.chance.generator.next())),
            faults: { [weak world] step in world?.reach(step, life) },
            system: SimulatedSystem(world: world, device: device, life: life, root: root),
            logger: Logger(label: "app") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Observes, mostly, and talks when it is its turn.
    func begin() {
        if world.isEnding || !world.chance.happens(100) { observe() }
        start { [agent] in try? await agent.run() }
    }

    func end() {
        for task in tasks { task.cancel() }
        tasks = []
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

    func buy(_ product: String, quantity: Int, asksToBuy: Bool = false) {
        guard life.isAlive else { return }
        let payment = AgentPayment(productIdentifier: product, quantity: quantity, simulatesAskToBuy: asksToBuy)
        do {
            let added = try agent.add(payment)
            guard life.isAlive else { return }
            world.note("\(life.name) adds \(product) × \(quantity) as \(added.id.prefix(6))")
            world.witness.added(added, on: device)
        } catch {
            world.note("\(life.name) can't add \(product)")
        }
    }

    func restore() {
        guard life.isAlive else { return }
        do {
            try agent.restoreCompletedTransactions()
            guard life.isAlive else { return }
            world.note("\(life.name) restores")
            world.witness.restores(self)
        } catch {
            world.note("\(life.name) can't restore")
        }
    }

    /// Asks for a receipt, and for a sign-in if nobody is signed in.
    func refresh(_ ended: @escaping () -> Void = {}) {
        guard life.isAlive else { return }
        world.note("\(life.name) refreshes")
        nonisolated(unsafe) let ended = ended  // because the scheduler's thread alone calls it
        start { [agent] in
            try? await agent.refreshReceipt()
            ended()
        }
    }

    /// Signs the device out.
    func signOut(_ answered: @escaping (Bool) -> Void = { _ in }) {
        guard life.isAlive else { return }
        world.note("\(life.name) signs out")
        nonisolated(unsafe) let answered = answered  // because the scheduler's thread alone calls it
        start { [agent] in
            let answer = try? await agent.store.connection.call(SignOutCall(), as: agent.identity.credentials)
            answered(answer != nil)
        }
    }

    /// What an app's observer does: it delivers and finishes, sooner or later.
    private func hear(_ updates: [AgentUpdate]) {
        guard life.isAlive else { return }
        for update in updates {
            switch update {
            case .updated(let transactions):
                for transaction in transactions {
                    world.note("\(life.name) hears \(transaction.id.prefix(6)) \(transaction.state)")
                    world.witness.told(transaction, to: self)
                    if transaction.isDecided { finishLater(transaction) }
                }
            case .removed(let transactions):
                for transaction in transactions {
                    world.note("\(life.name) hears \(transaction.id.prefix(6)) removed")
                    world.witness.removed(transaction, from: self)
                }
            case .restoreFinished, .restoreFailed:
                world.note("\(life.name) hears that a restore ended")
                world.witness.restoreEnded(self)
            case .revoked, .storefrontChanged:
                break
            }
        }
    }

    private func finishLater(_ transaction: AgentTransaction) {
        // Some apps forget, until they are launched again.
        if !world.isEnding, world.chance.happens(80) { return }
        let pause = world.chance.pause(0..<500, long: 500..<20_000, isLong: 200)
        world.scheduler.after(pause) { [weak self] in self?.finish(transaction) }
    }

    private func finish(_ transaction: AgentTransaction) {
        guard life.isAlive else { return }
        let delivered = transaction.transactionIdentifier.map {
            AgentTransaction.Delivered(
                transactionIdentifier: $0, productIdentifier: transaction.payment.productIdentifier)
        }
        do {
            let finished = try agent.finish(transaction.id, delivered: delivered)
            guard life.isAlive else { return }
            world.note("\(life.name) finishes \(transaction.id.prefix(6)): \(finished == nil ? "late" : "done")")
            if finished != nil { world.witness.finished(transaction, on: device) }
        } catch {
            world.note("\(life.name) can't finish \(transaction.id.prefix(6))")
        }
    }
}

extension AgentTransaction {
    var isDecided: Bool { state != .purchasing && state != .deferred }
}
