// SPDX-License-Identifier: Apache-2.0

package import StoreService

extension EventHub {
    /// Makes every stream send a heartbeat.
    package func heartbeatOfAll() {
        for _ in 0..<EventHub.heartbeatParts { heartbeat() }
    }
}
