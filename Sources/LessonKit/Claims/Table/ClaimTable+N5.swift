// SPDX-License-Identifier: Apache-2.0

extension ClaimTable {
  static let note5: [Row] = [
    row(
      "N5-01", 15, says: "willSendRequest:redirectResponse: is called on a redirect.",
      .qualified, .reproduced, "also once before the first request, without a response",
      quote: "在连接接收到 HTTP 重定向响应时调用", line: 10),
    row(
      "N5-02", 13, says: "didReceiveResponse follows the parsed headers and can repeat.",
      .confirmed, .reproduced, sameAs: "N2-05",
      quote: "该方法可能会被协议处理器调用多次", line: 18),
    row(
      "N5-03", 13, 14, says: "didReceiveData comes never or often, always after the first response.",
      .confirmed, .reproduced,
      quote: "该方法可能不会调用, 也可能会调用多次", line: 24),
    row(
      "N5-04", 14, says: "didFail can come at any stage and is then the last message.",
      .confirmed, .reproduced,
      quote: "该方法可能会在请求处理的任何阶段得到调用", line: 32),
    row(
      "N5-05", 14, says: "Finish and failure exclude each other.",
      .confirmed, .reproduced,
      quote: "此调用与 connection:didFailWithError: 的调用是互斥的", line: 40),
    row(
      "N5-06", 16, says: "needNewBodyStream replays a streamed body; without it the whole stream is copied first.",
      .qualified, .reproduced, "the stream is copied while it is sent, not before",
      quote: "协议处理器在开始请求前首先会创建整个输入流的副本", line: 50),
    row(
      "N5-07", 16, says: "Upload progress can fall back when the body is sent again.",
      .confirmed, .reproduced,
      quote: "bytesWritten 与 totalBytesWritten 值可能不会一直增加", line: 58),
    row(
      "N5-08", 19, says: "willCacheResponse can change or refuse the cached response.",
      .confirmed, .reproduced,
      quote: "如果该委托实现返回 nil, 那么响应就不会缓存下来", line: 66),
    row(
      "N5-09", 10, says: "Threads of dispatch and operation queues have no run loop.",
      .confirmed, .reproduced,
      quote: "通过 NSOperationQueue 创建的线程并没有运行循环", line: 70),
    row(
      "N5-10", 10, 11, says: "Scheduling explicitly on the main run loop works from any thread.",
      .confirmed, .reproduced,
      quote: "[connection scheduleInRunLoop:[NSRunLoo…", line: 72),
    row(
      "N5-11", 12, says: "Or on a run loop of another thread made for it.",
      .confirmed, .reproduced, sameAs: "N4-05",
      quote: "那么需要在另一个线程上创建运行循环", line: 75),
    row(
      "N5-12", 27, says: "Large transfers: the asynchronous form keeps memory small.",
      .qualified, .independent, "only where the body is written piece by piece",
      quote: "对于大的上传或下载来说, 请使用异步请求以减少应用的内存占用量", line: 77),
    row(
      "N5-13", 17, says: "Requests that need authentication should use the delegate form.",
      .qualified, .reproduced, "with a stored credential the synchronous form gets in too",
      quote: "在需要认证的情况下请使用异步请求", line: 79),
    row(
      "N5-14", 27, says: "Progress needs the delegate form.",
      .confirmed, .reproduced,
      quote: "如果需要向用户提供进度反馈, 那么请使用异步请求", line: 81),
    row(
      "N5-15", 3, says: "For simple requests in the background the delegate form is too much.",
      .confirmed, .independent,
      quote: "这时使用异步请求有些过犹不及", line: 85),
    row(
      "N5-16", 16, says: "needNewBodyStream must return an unopened stream.",
      nil, .reproduced,
      quote: "该委托应该返回一个未打开且自动释放的 NSInputStream 对象", line: 50),
  ]
}
