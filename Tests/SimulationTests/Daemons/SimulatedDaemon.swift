// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreTestSupport

@testable import StoreAgent

/// The daemon of a device: one process with an agent for each app that has
/// asked for it. It saves the apps by the real code, and has no socket.
final class SimulatedDaemon: @unchecked Sendable {  // because only the scheduler's thread touches it
    private unowned let device: SimulatedDevice
    private var life: ProcessLife?
    private var root = ""
    private var agents: [String: Agent] = [:]
    /// The event stream that the apps have in common.
    private var stream: SharedEventStream?
    private var tasks: [Task<Void, Never>] = []
    private var links: [SimulatedLink] = []
    private var launches = 0
    private var world: World { device.world }

    init(_ device: SimulatedDevice) {
        self.device = device
    }

    var isAlive: Bool { life?.isAlive ?? false }
    var hasEnded: Bool { life?.hasEnded ?? false }

    private var home: URL { URL(fileURLWithPath: root + "/home") }
    private var folder: DaemonFolder { DaemonFolder(home: home) }

    /// Starts the daemon, which opens the apps that it knows and wakes those
    /// that run.
    func start() {
        guard life == nil else { return }
        launches += 1
        let life = ProcessLife("\(device.name).daemon\(launches)", on: device.disk)
        self.life = life
        root = world.path(life.name)
        SimulatedVFS.mount(life, at: root)
        world.note("\(life.name) is launched")
        openStream(life)
        for saved in DaemonRegistration.loadAll(folder, system(life).files) where life.isAlive {
            _ = try? open(saved.app.bundleIdentifier, life)
        }
        if life.isAlive { device.wakeAll() }
        device.look()
    }

    func kill() {
        guard let life else { return }
        world.note("\(life.name) is killed")
        life.end()
        bury()
    }

    func losePower() {
        life?.end()
        bury()
    }

    /// Ends the work and the connections of a daemon that has ended.
    func bury() {
        guard let life, life.hasEnded else { return }
        for task in tasks { task.cancel() }
        tasks = []
        agents = [:]
        stream = nil
        self.life = nil
        if world.mistake != .handoversHang { for link in links { link.close() } }
        links = []
    }

    func obeyRestrictions() {
        guard life != nil else { return }
        let isAllowed = device.restricted == nil || world.mistake == .restrictionsAreIgnored
        try? DeviceRestrictions(home: home).allow(inAppPurchases: isAllowed)
    }

    /// Serves an app, as the daemon does that an app has asked.
    func serve(_ app: DaemonApp) -> DaemonAnswer {
        guard let life, life.isAlive else { return .absent }
        do {
            world.reach("register:before", life)
            try DaemonRegistration(version: .current, app: app).save(folder, system(life).files)
            world.reach("register:after", life)
            try open(app.bundleIdentifier, life)
            world.reach("accept:before", life)
        } catch {
            device.look()
            return life.isAlive ? .refused(DaemonRefusal(error)) : .absent
        }
        guard life.isAlive else { return .absent }
        let link = SimulatedLink()
        links.append(link)
        world.note("\(life.name) serves \(device.place(of: app.bundleIdentifier))")
        return .accepted(link)
    }

    private func system(_ life: ProcessLife) -> SimulatedSystem {
        SimulatedSystem(world: world, device: device, life: life, root: root, isDaemon: true)
    }

    /// In half of the lives an app that has one event to take is too slow for
    /// a second one, so that apps leave the stream and join again.
    private func openStream(_ life: ProcessLife) {
        let bytes = world.chance.happens(500) ? SharedEventStream.bytesOfAnApp : 1
        let stream = SharedEventStream(
            SimulatedConnection(world, device, life), clock: world.scheduler.agentClock(of: device),
            bytesOfAnApp: bytes)
        self.stream = stream
        tasks.append(Task(executorPreference: world.scheduler) { await stream.run() })
    }

    private func open(_ bundle: String, _ life: ProcessLife) throws {
        guard agents[bundle] == nil, let stream else { return }
        let agent = try Agent(
            AgentConfiguration(
                storeURL: URL(string: "http://store.example"), bundleIdentifier: bundle, home: home,
                trust: world.trust),
            connection: SharedConnection(own: SimulatedConnection(world, device, life), stream: stream),
            presenter: SimulatedPresenter(world: world, device: device, life: life),
            clock: world.scheduler.agentClock(of: device),
            random: AgentRandom(SeededGenerator(seed: world.chance.generator.next())),
            faults: { [weak world] step in world?.reach(step, life) }, system: system(life), logger: .silent)
        agents[bundle] = agent
        obeyRestrictions()
        if world.mistake == .daemonsFinish { finishEverything(of: agent, life) }
        guard world.mistake != .daemonsStandStill else { return }
        tasks.append(Task(executorPreference: world.scheduler) { try? await agent.run() })
    }

    /// Finishes transactions that no app has received.
    private func finishEverything(of agent: Agent, _ life: ProcessLife) {
        agent.observe { updates in
            for case .updated(let transactions) in updates where life.isAlive {
                for transaction in transactions where transaction.isDecided { _ = try? agent.finish(transaction.id) }
            }
        }
    }
}

/// The way of an app's process to the daemon of its device. Questions and
/// answers take time, in which either may end.
struct SimulatedDoor: DaemonDoor {
    let device: SimulatedDevice
    let daemon: SimulatedDaemon
    let life: ProcessLife

    func ask(_ app: DaemonApp) async -> DaemonAnswer {
        guard daemon.isAlive else { return .absent }
        let scheduler = device.world.scheduler
        try? await scheduler.sleep(milliseconds: Int64(device.world.chance.number(in: 1..<200)))
        guard life.isAlive, !Task.isCancelled else { return .absent }
        let answer = daemon.serve(app)
        try? await scheduler.sleep(milliseconds: Int64(device.world.chance.number(in: 1..<200)))
        if case .accepted(let link) = answer, !life.isAlive || Task.isCancelled {
            link.close()
            return .absent
        }
        return answer
    }
}

/// A connection to a daemon, until the daemon ends.
final class SimulatedLink: DaemonLink, @unchecked Sendable {  // because only the scheduler's thread touches it
    private let ended = Waiter<Void>()

    func follow(_ present: @escaping @Sendable (String) async throws -> Void) async {
        try? await ended.wait()
    }

    func close() { ended.settle(.success(())) }
}

extension SimulatedDevice {
    /// Wakes the processes of all apps.
    func wakeAll() {
        for bundle in bundles { wakeOthers(than: "", in: "home/apps/\(bundle)/processes") }
    }
}
