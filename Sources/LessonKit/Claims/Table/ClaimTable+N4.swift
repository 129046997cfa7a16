// SPDX-License-Identifier: Apache-2.0

extension ClaimTable {
  static let note4: [Row] = [
    row(
      "N4-01", 17, says: "The delegate protocol is about failure and authentication; all optional.",
      .confirmed, .reproduced,
      quote: "这个协议主要是请求错误、证书校验安全相关", line: 24),
    row(
      "N4-02", 27, says: "Small data, upload and download share one protocol.",
      .qualified, .reproduced, "true for data and upload; download has a protocol of its own",
      quote: "这三种操作都定义在了这一个协议中", line: 50),
    row(
      "N4-03", 14, says: "A connection serves one request.",
      .confirmed, .reproduced,
      quote: "因为每一个请求，必须重新创建一个新的NSURLConection对象", line: 85),
    row(
      "N4-04", 12, says: "A port keeps the network thread's run loop alive.",
      .confirmed, .independent,
      quote: "给runloop注册一个port，用于iOS系统线程与当前子线程的通信", line: 193),
    row(
      "N4-05", 12, says: "All callbacks come on the network thread.",
      .confirmed, .reproduced,
      quote: "如下回调函数，都是在单例子线程上执行", line: 256),
    row(
      "N4-06", 13, says: "The response callback comes exactly once.",
      .refuted, .reproduced,
      quote: "接收到服务器的响应，这个方法只会被回调执行一次", line: 259),
    row(
      "N4-07", 12, says: "(defect in the note) The buffer is declared without ownership.",
      .defectShown, .independent,
      quote: "(nonatomic, assign) NSMutableData *recei…", line: 133),
    row(
      "N4-08", 12, says: "(defect in the note) The completion gets nil, because the buffer was cleared before.",
      .defectShown, .independent,
      quote: "weakSefl.completion(_receiveData)", line: 304),
    row(
      "N4-09", 7, 12,
      says: "(defect in the note) The handle is opened on a file that does not exist, so nothing is written.",
      .defectShown, .independent,
      quote: "[NSFileHandle fileHandleForWritingAtPath…", line: 378),
    row(
      "N4-10", 27, says: "Five shortcomings of NSURLConnection.",
      .qualified, .reproduced, "the third is refuted for uploads, which report their progress",
      quote: "总结下一些缺点", line: 329),
    row(
      "N4-11", 7, says: "Write piece by piece, after removing the old file.",
      .confirmed, .independent, sameAs: "N1-22",
      quote: "分段写入是`追加`的形式不断的写入文件", line: 425),
    row(
      "N4-12", 12, says: "Progress is forwarded to main.",
      .confirmed, .independent,
      quote: "回跳主线程执行回传进度", line: 464),
    row(
      "N4-13", 22, says: "Resuming is done by hand with the Range header.",
      .qualified, .independent, "only where the answer is checked: status 206 and the validator",
      quote: "需要人为的设置`请求头的range属性`告诉服务器要下载哪一部分数据", line: 516),
    row(
      "N4-14", 23, says: "Large files: get the size, split, preallocate, write each part at its place.",
      .qualified, .independent, "only where the server answers ranges",
      quote: "分成多个子线程任务完成下载", line: 524),
    row(
      "N4-15", 21, says: "All this holds only while the app is in the foreground.",
      .qualified, .independent, "stopping a process stands for the background here",
      quote: "本文仅针对 App运行在 前台 时完成下载", line: 537),
    row(
      "N4-16", 12, says: "The connection is created and scheduled on the network thread.",
      .confirmed, .reproduced,
      quote: "完成在子线程中创建NSURLConnection", line: 478),
    row(
      "N4-17", 9, says: "Common modes contain all four modes of the list.",
      .refuted, .independent,
      quote: "NSRunLoopCommonModes（综合如上全部情况）", line: 117),
    row(
      "N4-18", 12, says: "(defect in the note) The completion is never called when the load fails.",
      .defectShown, .independent,
      quote: "针对是哪一种error code处理", line: 322),
    row(
      "N4-19", 12, says: "(defect in the note) The file is written to the path \"\".",
      .defectShown, .independent,
      quote: "[_receiveData writeToFile:@\"\" atomically…", line: 295),
  ]
}
