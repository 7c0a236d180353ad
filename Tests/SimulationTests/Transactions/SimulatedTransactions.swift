// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase

@testable import StoreAgent
@testable import StoreKit

/// The part of an app's process that uses StoreKit 2: its listeners, its
/// purchases and its lists of transactions.
final class SimulatedTransactions: @unchecked Sendable {  // because only the scheduler's thread touches it
    let world: World
    let device: SimulatedDevice
    let bundle: String
    let life: ProcessLife
    let agent: Agent
    /// The listeners and waiting purchases of the process.
    let hub = TransactionHub()
    private(set) var listeners: [SimulatedListener] = []
    private var purchases: [Task<Void, Never>] = []
    private var others: [Task<Void, Never>] = []
    private var launched = 0
    /// The place that the last page has named.
    var nextPlace: String?
    var witness: TransactionWitness? { world.transactions }
    var place: Place { device.place(of: bundle) }

    init(_ app: SimulatedApp) {
        (device, bundle, life, agent) = (app.device, app.bundle, app.life, app.agent)
        world = app.device.world
    }

    /// Starts as many listeners as the app has; an app of StoreKit 1 has none.
    func begin() {
        for _ in 0..<(world.isEnding ? 2 : world.chance.number(in: 1..<4)) { listen() }
    }

    /// Starts a listener of `Transaction.updates`.
    func listen() {
        launched += 1
        let isSlow = !world.isEnding && world.chance.happens(150)
        let listener = SimulatedListener(self, number: launched, isSlow: isSlow)
        listeners.append(listener)
        listener.start()
    }

    /// Ends the newest listener, as an app does that leaves a page.
    func stopListening() {
        guard let listener = listeners.popLast() else { return }
        world.note("\(listener.name) stops listening")
        listener.end()
        if listeners.isEmpty { witness?.forget(self) }
    }

    func end() {
        for listener in listeners { listener.end() }
        for purchase in purchases { purchase.cancel() }
        for task in others { task.cancel() }
        (listeners, purchases, others) = ([], [], [])
        witness?.forget(self)
    }

    func start(_ work: @escaping @Sendable () async -> Void) {
        others.append(Task(executorPreference: world.scheduler) { await work() })
    }

    // MARK: Purchases

    /// Buys a product by `Product.purchase(options:)`.
    func buy(_ product: String, quantity: Int, asksToBuy: Bool) {
        let request = agent.makeRequest()
        let goesOn = world.chance.happens(500)
        var options: Set<Product.PurchaseOption> = [.quantity(quantity), .simulatesAskToBuyInSandbox(asksToBuy)]
        options.insert(
            .onStorefrontChange { [world] _ in
                if !goesOn { world.witness.withdrew(request) }
                return goesOn
            })
        guard let purchase = try? PurchaseRequest(product, options) else {
            return world.note("\(life.name) can't buy \(product) × \(quantity)")
        }
        world.note("\(life.name) purchases \(product) × \(quantity) as \(request.suffix(6))")
        world.witness.added(request, purchase.payment, at: place, now: world.scheduler.now)
        let task = Task(executorPreference: world.scheduler) { [self] in
            do {
                let result = try await purchase.perform(agent, hub: hub, as: request)
                if life.isAlive { got(result, for: request) }
            } catch {
                if life.isAlive { failed(error, request) }
            }
        }
        purchases.append(task)
        if world.chance.happens(60) {
            world.scheduler.after(world.chance.pause(10..<5000, long: 5000..<60_000)) { task.cancel() }
        }
    }

    private func got(_ result: Product.PurchaseResult, for request: String) {
        switch result {
        case .userCancelled:
            world.note("\(life.name) gets that \(request.suffix(6)) was cancelled")
            world.witness.decided(request, .failed)
        case .pending:
            world.note("\(life.name) gets that \(request.suffix(6)) is pending")
            world.witness.decided(request, .deferred)
        case .success(let verification):
            let transaction = verification.unsafePayloadValue
            world.note("\(life.name) gets \(request.suffix(6)) as \(transaction.number.suffix(6))")
            world.witness.decided(request, .purchased)
            witness?.returned(verification, for: request, to: self)
            if world.mistake == .returnedPurchasesAreForgotten {
                agent.returnedTransactions.remove([transaction.number])
            }
            finishLater(transaction)
        }
    }

    private func failed(_ error: any Error, _ request: String) {
        world.note("\(life.name) gets the error of \(request.suffix(6)): \(Self.name(error))")
        switch error {
        case is Product.PurchaseError: world.witness.decided(request, .failed)
        case StoreKitError.networkError, StoreKitError.notAvailableInStorefront:
            world.witness.decided(request, .failed)
        default: break
        }
    }

    /// A name without an address in memory, which would make the run's number
    /// another one each time.
    private static func name(_ error: any Error) -> String {
        switch error {
        case let error as Product.PurchaseError: "\(error)"
        case StoreKitError.networkError: "no network"
        case StoreKitError.unknown: "unknown"
        default: "\(type(of: error))"
        }
    }

    // MARK: Finishes

    /// Finishes a transaction that the app has received, sooner or later, or
    /// in a later launch.
    func finishLater(_ transaction: Transaction) {
        guard transaction.revocationDate == nil else { return }
        if !world.isEnding, world.chance.happens(world.changesDevices ? 400 : 80) { return }
        let pause = world.chance.pause(0..<500, long: 500..<20_000, isLong: 200)
        world.scheduler.after(pause) { [weak self] in
            guard let self, life.isAlive else { return }
            start { [self] in await finish(transaction.number, transaction.productID) }
        }
    }

    private func finish(_ number: String, _ product: String) async {
        guard life.isAlive else { return }
        world.holders.finishes(number, at: place)
        if world.mistake == .finishesStayInTheQueue {
            try? await agent.journal.database.write { try SignedRow.finish($0, number) }
        } else {
            await agent.finishSigned(.init(transactionIdentifier: number, productIdentifier: product))
        }
        guard life.isAlive else { return }
        world.note("\(life.name) has finished \(number.suffix(6))")
        witness?.finished(number, by: self)
    }
}

extension Transaction {
    /// The identifier as the store and the journal write it.
    var number: String { "\(id)" }
}
