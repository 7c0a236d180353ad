// SPDX-License-Identifier: Apache-2.0

extension TermsWords {
    static let korean = TermsWords(
        separator: " ",
        moment: "{day} {time}(UTC)",
        day: Unit(one: "{count}일", other: "{count}일", rate: "매일 {price}", rates: "{count}일마다 {price}"),
        week: Unit(one: "{count}주", other: "{count}주", rate: "매주 {price}", rates: "{count}주마다 {price}"),
        month: Unit(one: "{count}개월", other: "{count}개월", rate: "매월 {price}", rates: "{count}개월마다 {price}"),
        year: Unit(one: "{count}년", other: "{count}년", rate: "매년 {price}", rates: "{count}년마다 {price}"),
        free: "{length}간 무료",
        upFront: "{length}간 총 {price}",
        eachPeriod: "{length}간 {rate}",
        sequence: "{first}, 이후 {second}",
        offered: "{offer}, 이후 {date}부터 해지하실 때까지 {rate}입니다.",
        regular: "요금은 {rate}입니다.",
        firstPeriod: "첫 번째 기간은 {start}부터 {end}까지입니다.",
        replaces: "이 구독은 지금 시작되며 현재 구독을 대체합니다.",
        givenBack: "현재 구독의 사용하지 않은 기간에 대해 환불되는 금액은 {price}입니다.",
        begins: "이 구독은 이미 결제하신 기간이 끝나는 {date}에 시작됩니다.",
        nothingNow: "지금은 요금이 청구되지 않습니다.",
        offerBegins: "할인 혜택은 다음 기간부터 적용됩니다.",
        owned: "이미 이용 중인 구독입니다.",
        ownedUntil: "이 구독은 {date}까지 이용하실 수 있습니다.",
        staysOn: "자동 갱신은 계속 켜져 있습니다.",
        turnedOn: "자동 갱신이 다시 켜집니다.",
        renewal: """
            구독은 해지하실 때까지 각 기간이 끝날 때 자동으로 갱신되며, 요금은 빠르면 하루 전에 청구됩니다. \
            해지하시려면 기간이 끝나기 전에 ‘{page}’ 페이지에서 자동 갱신을 꺼 주세요. 남은 기간에는 \
            계속 이용하실 수 있습니다.
            """,
        contact: """
            {app} 판매자에게 이름, 이메일 주소, 우편번호를 제공합니다. 이 경우 첫 번째 기간이 \
            {length} 연장되어 {end}까지입니다.
            """,
        priceRises: "현재 요금은 {old}이며, {date}에 시작되는 기간부터는 {new}입니다.",
        endsUnlessAgreed: "동의하지 않으시면 구독은 그날 종료되며 더 이상 요금이 청구되지 않습니다.")
}
