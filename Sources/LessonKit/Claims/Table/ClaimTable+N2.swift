// SPDX-License-Identifier: Apache-2.0

extension ClaimTable {
  static let note2: [Row] = [
    row(
      "N2-01", 5, says: "A downloading delegate needs four methods.",
      .qualified, .reproduced, "all are optional",
      quote: "程序需要提供一个delegate对象,并且至少实现下面的方法", line: 12),
    row(
      "N2-02", 1, says: "The request carries cache policy and timeout.",
      .confirmed, .reproduced,
      quote: "创建NSURLRequest,可以指定缓存规则和超时时间", line: 18),
    row(
      "N2-03", 14, says: "Loading starts on creation and can be cancelled until the last message.",
      .confirmed, .reproduced,
      quote: "可以通过给连接发送一个cancel:消息来中断下载", line: 40),
    row(
      "N2-04", 1, says: "One initializer creates without starting.",
      .confirmed, .reproduced,
      quote: "有个初始化函数可以做到创建连接但是并", line: 35),
    row(
      "N2-05", 13, says: "didReceiveResponse can come more than once; data so far must be dropped.",
      .confirmed, .reproduced,
      quote: "这时候应该重置进度指示,丢弃之前接收的数据", line: 48),
    row(
      "N2-06", 5, says: "didReceiveData comes repeatedly.",
      .confirmed, .independent, sameAs: "N1-11",
      quote: "每当有数据接收,代理会定期收到connection:didRecei…", line: 58),
    row(
      "N2-07", 14, says: "The error carries the URL that failed.",
      .confirmed, .reproduced,
      quote: "url请求(使用NSErrorFailingURLStringKey)", line: 71),
    row(
      "N2-08", 14, says: "Nothing follows didFailWithError.",
      .confirmed, .reproduced,
      quote: "对于该连接不会在收到任何消息", line: 73),
    row(
      "N2-09", 14, says: "Nothing follows connectionDidFinishLoading.",
      .confirmed, .reproduced,
      quote: "代理不会收到其他的消息了", line: 87),
    row(
      "N2-10", 5, says: "Four phases: connect, response, data, finish.",
      .confirmed, .independent,
      quote: "正常的网络请求的过程一般经历四个过程", line: 108),
    row(
      "N2-11", 5, says: "How many data callbacks come depends on the network.",
      .confirmed, .independent,
      quote: "被调用的次数取决于设备当时的网络状况和数据总量", line: 114),
    row(
      "N2-12", 5, says: "Delegate methods always run on the main thread.",
      .refuted, .reproduced,
      quote: "delegate方法永远会在主线程执行", line: 120),
    row(
      "N2-13", 9, says: "UI animation blocks every phase.",
      .qualified, .reproduced, "the callbacks of a connection in the default mode wait; the bytes keep coming",
      quote: "界面动画会阻塞以上任意一个过程", line: 120),
    row(
      "N2-14", 20,
      says: "Many connection objects exist at once, but not as many real connections; the number is unknown.",
      .confirmed, .reproduced, "the number is this library's; Apple's is documented for sessions only",
      quote: "系统底层未必会为所有的连接对象都创建真正的网络连接", line: 122),
    row(
      "N2-15", 20, says: "One response is handled to its end before the next begins.",
      .refuted, .reproduced,
      quote: "直到一个请求处理完毕,才接收下一个", line: 122),
    row(
      "N2-16", 21,
      says: "Suspended halfway, the rest arrives at once on return for as long as the time-out, else a "
        + "time-out is reported.",
      .qualified, .independent, "what arrives at once is what the buffers held; the border is not the time-out alone",
      quote: "30s内重新打开应用,数据就立刻全都一次性收到", line: 124),
    row(
      "N2-17", 14, says: "Creation can fail.",
      .qualified, .reproduced,
      "an unsupported scheme is refused by canHandle; the created connection reports the failure",
      quote: "如果创建失败,则会返回nil", line: 20),
    row(
      "N2-18", 20, says: "Never send several requests at once, above all those that change the screen.",
      .refuted, .independent, "as advice",
      quote: "要避免同时发送多个请求,尤其是关乎更新界面的请求", line: 122),
  ]
}
