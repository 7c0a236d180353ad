// SPDX-License-Identifier: Apache-2.0

extension TermsWords {
    static let simplifiedChinese = TermsWords(
        separator: "",
        moment: "{day} {time}（UTC）",
        day: Unit(one: "{count} 天", other: "{count} 天", rate: "每天 {price}", rates: "每 {count} 天 {price}"),
        week: Unit(one: "{count} 周", other: "{count} 周", rate: "每周 {price}", rates: "每 {count} 周 {price}"),
        month: Unit(one: "{count} 个月", other: "{count} 个月", rate: "每月 {price}", rates: "每 {count} 个月 {price}"),
        year: Unit(one: "{count} 年", other: "{count} 年", rate: "每年 {price}", rates: "每 {count} 年 {price}"),
        free: "免费 {length}",
        upFront: "{length}共 {price}",
        eachPeriod: "{length}内{rate}",
        sequence: "{first}，之后{second}",
        offered: "{offer}，之后自 {date}起{rate}，直至您取消订阅。",
        regular: "价格为{rate}。",
        firstPeriod: "首个订阅期自 {start}起，至 {end}止。",
        replaces: "此订阅立即开始，并取代您当前的订阅。",
        givenBack: "您将获得 {price} 的退款，即当前订阅未使用部分的费用。",
        begins: "此订阅将于 {date}开始，即您已付费的订阅期结束之时。",
        nothingNow: "现在不会收取任何费用。",
        offerBegins: "优惠自下一个订阅期起生效。",
        owned: "您已拥有此订阅。",
        ownedUntil: "您已拥有此订阅，有效期至 {date}。",
        staysOn: "自动续订保持开启。",
        turnedOn: "自动续订将重新开启。",
        renewal: """
            在您取消之前，订阅会在每个订阅期结束时自动续订，并最早提前一天扣款。\
            如需取消，请在订阅期结束前在“{page}”页面关闭自动续订；\
            在该订阅期的剩余时间内，您仍可使用此订阅。
            """,
        contact: "将我的姓名、电子邮件地址和邮政编码提供给“{app}”的卖家。首个订阅期将因此延长 {length}，至 {end}止。",
        priceRises: "您当前的价格为{old}。自 {date}开始的订阅期起，价格将变为{new}。",
        endsUnlessAgreed: "如果您不同意，订阅将于当日结束，且不再扣款。")
}
