// SPDX-License-Identifier: Apache-2.0

extension TermsWords {
    static let japanese = TermsWords(
        separator: "",
        moment: "{day} {time}（UTC）",
        day: Unit(one: "{count}日間", other: "{count}日間", rate: "1日あたり{price}", rates: "{count}日ごとに{price}"),
        week: Unit(one: "{count}週間", other: "{count}週間", rate: "1週間あたり{price}", rates: "{count}週間ごとに{price}"),
        month: Unit(one: "{count}か月間", other: "{count}か月間", rate: "月額{price}", rates: "{count}か月ごとに{price}"),
        year: Unit(one: "{count}年間", other: "{count}年間", rate: "年額{price}", rates: "{count}年ごとに{price}"),
        free: "{length}無料",
        upFront: "{length}で{price}",
        eachPeriod: "{length}は{rate}",
        sequence: "{first}、その後{second}",
        offered: "{offer}、その後は{date}から、解約されるまで{rate}です。",
        regular: "料金は{rate}です。",
        firstPeriod: "最初の期間は{start}から{end}までです。",
        replaces: "このサブスクリプションは今すぐ開始され、現在のサブスクリプションに代わります。",
        givenBack: "現在のサブスクリプションの未使用分として{price}が返金されます。",
        begins: "このサブスクリプションは、お支払い済みの期間が終了する{date}に開始されます。",
        nothingNow: "現時点では請求は発生しません。",
        offerBegins: "この特典は次の期間から適用されます。",
        owned: "このサブスクリプションはすでにご利用中です。",
        ownedUntil: "このサブスクリプションは{date}までご利用いただけます。",
        staysOn: "自動更新はオンのままです。",
        turnedOn: "自動更新が再びオンになります。",
        renewal: """
            サブスクリプションは、解約されるまで各期間の終了時に自動的に更新され、\
            料金は早ければその1日前に請求されます。解約するには、期間が終了する前に「{page}」のページで自動更新をオフにしてください。\
            残りの期間は引き続きご利用いただけます。
            """,
        contact: """
            {app}の販売者に、氏名、メールアドレス、郵便番号を提供します。\
            その場合、最初の期間は{length}延長され、{end}までとなります。
            """,
        priceRises: "現在の料金は{old}です。{date}に始まる期間から{new}になります。",
        endsUnlessAgreed: "同意されない場合、サブスクリプションはその日に終了し、それ以降は請求されません。")
}
