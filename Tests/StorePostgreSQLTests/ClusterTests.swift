// SPDX-License-Identifier: Apache-2.0

import StoreTestSupport
import Testing

struct ClusterTests {
    @Test("There is a cluster: without one nothing here is shown, and that mustn't pass in silence")
    func thereIsACluster() {
        #expect(TestCluster.url != nil, "Run the tests by 'scripts/postgres run --no-fsync swift test'.")
    }
}
