// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreScenarios

@Suite("The report of scenarios")
struct ScenarioReportTests {
    @Test("People get a line for each scenario, build servers get JUnit's XML")
    func report() {
        var report = ScenarioReport()
        report.results.append(.init(file: "a.yaml", name: "A & B", milliseconds: 1005, failure: nil))
        report.results.append(
            .init(
                file: "b.yaml", name: "C", milliseconds: 20,
                failure: ScenarioFailure("the notifications are none instead of \"REFUND\" \u{1}", line: 7)))
        #expect(report.results.map(\.line)[0] == "passed  A & B (1005 ms)")
        #expect(report.results.map(\.line)[1].contains("b.yaml:7: the notifications are none"))
        #expect(report.summary == "1 passed, 1 failed" && report.failures == 1)
        #expect(
            report.junit == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuite name="scenarios" tests="2" failures="1" time="1.025">
                  <testcase name="A &amp; B" classname="a.yaml" time="1.005"/>
                  <testcase name="C" classname="b.yaml" time="0.020">
                    <failure message="b.yaml:7: the notifications are none instead of &quot;REFUND&quot; "/>
                  </testcase>
                </testsuite>

                """)
    }
}
