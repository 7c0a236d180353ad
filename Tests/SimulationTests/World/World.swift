// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreAssembly
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport

/// Some devices, a store, and the events between them, drawn from a seed.
final class World: @unchecked Sendable {  // because only the scheduler's thread touches it
    let seed: UInt64
    let scheduler: Scheduler
    let chance: Chance
    let network: SimulatedNetwork
    let trace: Trace
    private(set) lazy var accounts = template.accounts.map { SimulatedAccount($0, self) }
    let trust: URL
    private(set) lazy var witness = Witness(note: { [unowned self] in note($0) })
    private(set) lazy var holders = HolderWitness { [unowned self] in witness.complain($0) }
    private(set) lazy var store = SimulatedStore(self, disk: SimulatedDisk(copyOf: template.disk))
    private(set) var devices: [SimulatedDevice] = []
    /// The planted mistake, which the checks have to find.
    let mistake: Mistake?
    /// Whether the run ends: there are no new faults, and all open work
    /// completes.
    private(set) var isEnding = false
    /// Whether an account was barred at any time.
    var hasBarred = false
    /// Whether the sale of a product was limited at any time.
    private(set) var hasLimited = false
    /// The customers of subscriptions whose devices are switched off.
    private(set) var absent: [AbsentCustomer] = []
    /// The checks of subscriptions; `nil` in a world without them.
    private(set) var renewals: RenewalWitness?
    /// The checks of downloads; `nil` in a world without hosted content.
    private(set) var downloads: DownloadWitness?
    /// The answers of parents; `nil` in a world without a family.
    private(set) var families: FamilyWitness?
    /// The model of who has agreed to what; `nil` in the other worlds.
    private(set) var agreements: AgreementWitness?
    /// The checks of StoreKit 2; `nil` in a world whose apps use StoreKit 1
    /// alone.
    private(set) var transactions: TransactionWitness?
    /// Whether products have offers and codes, and their prices rise.
    var sellsOffers: Bool { template.sellsOffers }
    var codes: [OfferedPlans.Code] { template.codes }
    /// The apps and products whose price the seller is changing, or may be:
    /// an order that was lost could be carried out late, after a higher price.
    var changingPrices: Set<String> = []
    /// Whether devices have daemons, which come and go: in a third of the
    /// worlds of purchases.
    private(set) var hasDaemons = false
    /// The worlds of purchases whose seed is a multiple of this have daemons.
    static let seedsBetweenDaemons: UInt64 = 3
    /// The number of times that a clock was moved.
    var clockMoves = 0
    /// The numbers of subscriptions and of their periods in the end.
    var sold = (subscriptions: 0, periods: 0)
    /// The number of purchase steps to pass before the process at the next
    /// one ends.
    var stepsUntilEnd: Int?
    private let template: Template
    private let root: String
    private var mounts: [String] = []

    init(_ template: Template, seed: UInt64, mistake: Mistake? = nil, keepsTrace: Bool = false) {
        self.seed = seed
        self.mistake = mistake
        scheduler = Scheduler(seed: seed &* 2)
        chance = Chance(seed: seed &* 2 + 1)
        network = SimulatedNetwork(scheduler, chance)
        trace = Trace(keeps: keepsTrace)
        self.template = template
        trust = template.trust
        root = template.folder.path("\(UUID())")
        network.pick = { [unowned self] in store.pick() }
        network.arrived = { [unowned self] in
            witness.keyValues.arrived($0)
            return misheard($0)
        }
        network.answered = { [unowned self] in
            witness.receipts.answered($0, $1)
            witness.keyValues.answered($0, $1, now: scheduler.now)
        }
    }

    /// The message as the store handles it under the world's mistake.
    private func misheard(_ message: StoreMessage) -> StoreMessage {
        guard mistake == .valuesAreRepeated, message.path == .keyValues,
            var call = try? StoreCoding.decode(KeyValuesCall.self, from: message.body)
        else { return message }
        for index in call.writes.indices { call.writes[index].sequence = Int64(scheduler.newName()) }
        var misheard = message
        misheard.body = (try? StoreCoding.encode(call)) ?? message.body
        return misheard
    }

    func note(_ line: @autoclosure () -> String) {
        trace.note(scheduler.now, line())
    }

    /// Looks at the rows that the store's last write transaction has left.
    func look(_ connection: any Connection) throws {
        try holders.look(connection)
        try renewals?.look(connection)
        try agreements?.look(connection)
    }

    /// The folder at which a process mounts its machine's disk.
    func path(_ process: String) -> String {
        let path = "\(root)/\(process)"
        mounts.append(path)
        return path
    }

    /// Sends a request to a process of the store, as a page in a browser does.
    func ask(
        _ question: @escaping @Sendable (StoreService) async throws -> Void,
        answered: @escaping (Result<Void, any Error>) -> Void
    ) {
        order({ try await question($0.service) }, answered: answered)
    }

    /// Gives an order to a process of the store, as an operator or a test does.
    func order(
        _ question: @escaping @Sendable (Store) async throws -> Void,
        answered: @escaping (Result<Void, any Error>) -> Void
    ) {
        let answer = Waiter<Void>()
        guard let server = network.pick(), !network.isTroubled() else {
            return answered(.failure(SimulatedNetwork.failure(.notSent, "refused")))
        }
        server.run {
            try await question(server.store)
        } answered: { result in
            guard !answer.isSettled else { return }
            answer.settle(.success(()))
            answered(result)
        }
        scheduler.after(SimulatedNetwork.timeLimit) {
            guard !answer.isSettled else { return }
            answer.settle(.success(()))
            answered(.failure(SimulatedNetwork.failure(.unanswered, "no answer in time")))
        }
    }

    /// Approves or declines requests that wait for approval, and resolves
    /// some interrupted purchases.
    func decide() {
        if families != nil { return answerChildren() }
        if agreements != nil { return answerMembers() }
        guard let books = try? Books(self) else { return }
        for request in books.undecided {
            let isApproved = chance.happens(700)
            note("\(request.suffix(6)) is \(isApproved ? "approved" : "declined")")
            ask({ service in
                if isApproved {
                    try await service.approve(TransactionIdentifier(request))
                } else {
                    try await service.decline(TransactionIdentifier(request))
                }
            }) { _ in }
        }
        for request in books.interrupted where chance.happens(600) {
            note("\(request.suffix(6)) goes on")
            ask({ try await $0.resolve(TransactionIdentifier(request)) }) { _ in }
        }
    }

    /// Refunds some purchases as soon as an app has received them, so that the
    /// revocation meets a transaction that isn't finished yet.
    func regret(_ transaction: String) {
        let isSearched = mistake == .revocationsNameTheOriginal && isRepeated(transaction)
        guard !isEnding, chance.happens(20) || isSearched else { return }
        note("\(transaction.suffix(6)) is refunded immediately")
        ask({ _ = try await $0.refund(TransactionIdentifier(transaction)) }) { _ in }
    }

    /// Whether the purchase repeats one of an owned product.
    private func isRepeated(_ transaction: String) -> Bool {
        guard let books = try? Books(self) else { return false }
        return books.charges.contains { $0.transaction == transaction && $0.original != transaction }
    }

    /// Stops selling a product in Germany, or sells it in all countries
    /// again.
    func limit(_ product: String, of bundle: String) {
        let countries: Set<String> = chance.happens(500) ? ["DEU"] : []
        note("\(product) of \(bundle) isn't sold in \(countries)")
        hasLimited = true
        ask({
            try await $0.limit(
                product: ProductIdentifier(product), of: BundleIdentifier(bundle), isNotSoldIn: countries)
        }) { _ in }
    }

    /// Called when a process reaches a step of a purchase; it may end there.
    func reach(_ step: String, _ life: ProcessLife) {
        guard life.isAlive else { return }
        if mistake == .pagesAreSkipped, step == "signed:before", !isEnding, chance.happens(300) {
            // As if the place were saved first.
            devices.lazy.flatMap(\.processes).first { $0.life === life }?.transactions?.skipPage()
            stepsUntilEnd = 0
        }
        guard let left = stepsUntilEnd else { return }
        guard left <= 0 else {
            stepsUntilEnd = left - 1
            return
        }
        stepsUntilEnd = nil
        note("\(life.name) ends at \(step)")
        life.end()
        devices.first { $0.disk === life.disk }?.look()
        if store.disk === life.disk { store.look() }
    }

    /// Cuts all power for days.
    func sleep(days: Int) {
        note("nothing runs for \(days) days")
        for device in devices { device.losePower() }
        store.losePower()
        scheduler.leap(Int64(days) * 86_400_000)
    }

    /// Whether a planted mistake was found: the rest of the world would show nothing more.
    var isFound: Bool { mistake != nil && !witness.violations.isEmpty }

    /// Runs all steps of a period.
    func pass(_ milliseconds: Int64) {
        let limit = scheduler.now + milliseconds
        while !isFound, scheduler.step(until: limit) {}
    }

    /// Runs steps until a condition holds.
    ///
    /// - Returns: `false` if it didn't hold in time.
    func pass(atMost milliseconds: Int64, until isSo: () -> Bool) -> Bool {
        let limit = scheduler.now + milliseconds
        var pause: Int64 = 1000
        while !isFound, scheduler.now < limit {
            pass(pause)
            if isSo() { return true }
            pause = min(pause + 500, 20_000)
        }
        return false
    }

    /// Runs a script to its end, then ends the run.
    func run(_ script: Script) {
        if case .purchases = script { hasDaemons = mistake?.concernsDaemons ?? (seed % Self.seedsBetweenDaemons == 0) }
        if case .transactions = script {
            transactions = TransactionWitness(self)
            hasDaemons = seed % 5 == 1
        }
        if script.sellsSubscriptions(seed: seed) {
            renewals = RenewalWitness()
            absent = template.absent.map { AbsentCustomer($0.account, $0.device, self) }
        }
        if case .downloads = script { downloads = DownloadWitness { [unowned self] in witness.complain($0) } }
        if case .families = script { families = FamilyWitness() }
        if case .agreements = script { agreements = AgreementWitness(self) }
        begin()
        let actions = Actions(self)
        switch script {
        case .purchases(let payments):
            while !isFound, witness.payments.count < payments {
                actions.act()
                if changesDevices { actions.changeDevices() }
                pass(chance.pause(10..<1500, long: 1500..<60_000, isLong: 60))
            }
            pass(Int64(chance.number(in: 0..<60_000)))
        case .subscriptions(let moves):
            actions.playSubscriptions(moves: moves)
        case .downloads(let payments):
            actions.playDownloads(payments: payments)
        case .agreements(let acts):
            actions.playAgreements(acts: acts)
        case .families(let payments):
            actions.playFamilies(payments: payments)
        case .transactions(let payments):
            if renewals == nil {
                actions.playTransactions(payments: payments)
            } else {
                actions.playSubscriptions(moves: payments * 3 / 5)
            }
        }
        end()
    }

    /// Starts the store and some devices.
    private func begin() {
        let sharesStreams = mistake == .joiningAppsTakePositions || mistake == .switchesLoseEvents
        store.disk.lies = mistake == .storeDiskLies
        store.provider.forgets = mistake == .providerForgets || mistake == .renewalsAreChargedTwice
        store.start()
        // The members of the families use pages, and devices without an agent.
        guard agreements == nil else { return }
        let count = max(changesDevices ? 2 : 1, chance.number(in: 1..<4))
        for number in 1...count {
            let device = SimulatedDevice(
                self, "device\(number)", customer: chance.number(in: 0..<accounts.count),
                bundles: sharesStreams || chance.happens(600) ? Template.bundles : [Template.bundles[0]])
            device.disk.lies = mistake == .deviceDisksLie
            devices.append(device)
            for bundle in device.bundles { device.launch(bundle) }
        }
    }

    private func end() {
        note("the end begins")
        isEnding = true
        stepsUntilEnd = nil
        network.trouble = 0
        store.provider.trouble = 0
        store.provider.declines = 0
        store.provider.lateness = 0
        if !isFound { Ending(self).run() }
        for device in devices {
            for app in device.processes { device.kill(app) }
            device.daemon?.kill()
        }
        store.stop()
        let limit = scheduler.now + 120_000
        while scheduler.step(until: limit) {}
        scheduler.clear()
        devices = []
        mounts.forEach(SimulatedVFS.unmount)
        try? FileManager.default.removeItem(atPath: root)
    }
}
