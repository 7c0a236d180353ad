// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import Synchronization

extension EventHub {
    /// The accounts of the open streams.
    var accounts: [AccountIdentifier] { state.withLock { Array($0.byAccount.keys) } }

    /// The devices of the open streams.
    var devices: [DeviceIdentifier] { state.withLock { Array($0.byDevice.keys) } }

    /// Wakes the streams that haven't read up to their account's newest
    /// event.
    ///
    /// A lower number than the one that was read means that the database was
    /// replaced by an older one. The stream reads a snapshot then.
    func compare(_ newest: [AccountIdentifier: Int64]) {
        signal(.events) { state in
            var behind: Set<Int> = []
            for (account, number) in newest {
                for key in state.byAccount[account] ?? [] where state.subscribers[key]?.events.read != number {
                    behind.insert(key)
                }
            }
            return behind
        }
    }

    /// Wakes the streams that haven't read up to their device's newest news,
    /// and those of devices on which another account is signed in.
    func compare(_ newest: [DeviceIdentifier: ReadingNewestNumbers.Device]) {
        signal(.deviceNews) { state in
            Self.streams(of: state, newest) { $0.deviceNews.read != $1.number }
        }
        signal(.events) { state in
            Self.streams(of: state, newest) { $0.account != $1.account }
        }
    }

    private static func streams(
        of state: State, _ newest: [DeviceIdentifier: ReadingNewestNumbers.Device],
        where isBehind: (Subscriber, ReadingNewestNumbers.Device) -> Bool
    ) -> Set<Int> {
        var behind: Set<Int> = []
        for (device, values) in newest {
            for key in state.byDevice[device] ?? [] {
                if let subscriber = state.subscribers[key], isBehind(subscriber, values) { behind.insert(key) }
            }
        }
        return behind
    }
}

extension StoreService {
    /// Finds the events and news whose announcement was lost, for the open
    /// streams of this process, and wakes those streams. Two statements read
    /// the numbers of a hundred accounts and of a hundred devices. The streams
    /// of devices that another node has deleted end.
    package func catchUp() async {
        let reading = ReadingNewestNumbers(context)
        do {
            let accounts = hub.accounts
            if !accounts.isEmpty { hub.compare(try await reading(of: accounts)) }
            let devices = hub.devices
            guard !devices.isEmpty else { return }
            let newest = try await reading(of: devices)
            hub.compare(newest)
            hub.end(streamsOf: devices.filter { newest[$0] == nil })
        } catch {
            _ = failure(of: error, at: "reading the newest events")
        }
    }
}
