// SPDX-License-Identifier: Apache-2.0

extension ClaimTable {
  static let note3: [Row] = [
    row(
      "N3-01", 1, says: "The shared session fetches and parses JSON in a few lines.",
      .confirmed, .reproduced,
      quote: "NSURLSession *session = [NSURLSession sh…", line: 18),
    row(
      "N3-02", 1, says: "Every task starts suspended.",
      .confirmed, .reproduced,
      quote: "所有的task都要调用resume方法才会开始进行请求", line: 32),
    row(
      "N3-03", 16, says: "POST needs a request with method and body.",
      .confirmed, .independent,
      quote: "POST比GET多一个request", line: 37),
    row(
      "N3-04", 24, says: "finishTasksAndInvalidate lets tasks end, then the session cannot be used.",
      .confirmed, .reproduced,
      quote: "如果会话已经被设置成完成,就无法再次使用", line: 88),
    row(
      "N3-05", 24, says: "invalidateAndCancel cancels what is unfinished.",
      .confirmed, .reproduced,
      quote: "如果一个文件没有下载完成,会直接被取消掉", line: 103),
    row(
      "N3-06", 24, says: "The session keeps its delegate alive until it is invalidated.",
      .confirmed, .reproduced,
      quote: "Session 会对代理进行强引用", line: 133),
    row(
      "N3-07", 24, says: "Creating sessions again and again costs.",
      .confirmed, .reproduced,
      quote: "这种方法会重复创建和销毁 session,会造成额外的开销", line: 101),
    row(
      "N3-08", 25, says: "The configuration is a shared environment for all tasks.",
      .qualified, .reproduced, "a session keeps a copy: a later change to the configuration object changes nothing",
      quote: "一旦设置可以全局共享,替代 NSURLRequest 中的附加信息", line: 115),
    row(
      "N3-09", 3, 25, says: "The delegate queue only says where callbacks run.",
      .confirmed, .reproduced,
      quote: "指定调度代理方法执行的队列,并不会影响到 session 本身的异步执行", line: 123),
    row(
      "N3-10", 3, 25, says: "A nil queue equals a new queue: callbacks run on several threads.",
      .qualified, .reproduced, "several threads, but one callback at a time",
      quote: "[[NSOperationQueue alloc] init] 和 nil …", line: 125),
    row(
      "N3-11", 3, says: "The main queue brings callbacks to main.",
      .confirmed, .reproduced,
      quote: "[NSOperationQueue mainQueue] 主队列", line: 129),
    row(
      "N3-12", 5, 25,
      says: "Progress needs a delegate, so neither the shared session nor a completion handler will do.",
      .confirmed, .reproduced,
      quote: "如果要跟进进度,不能使用系统提供的全局 session 单例", line: 164),
    row(
      "N3-13", 24, says: "The session keeps a task until it ends; a cancelled one is released.",
      .confirmed, .reproduced,
      quote: "任务一旦发起,session会对任务进行强引用", line: 177),
    row(
      "N3-14", 22, says: "Pausing twice loses the resume data.",
      .confirmed, .reproduced,
      quote: "如果任务已经被暂停,不应该能够再次被暂停", line: 175),
    row(
      "N3-15", 22, says: "A task from resume data goes on where the first stopped.",
      .confirmed, .reproduced,
      quote: "使用续传数据启动下载", line: 198),
    row(
      "N3-16", 22, says: "Continuing without resume data does nothing.",
      nil, .reproduced,
      quote: "NSLog(@\"没有暂停任务\")", line: 194),
    row(
      "N3-17", 5, 8, says: "didWriteData reports this piece, the total so far and the expected total.",
      .confirmed, .reproduced,
      quote: "totalBytesWritten           已经下载的字节数", line: 229),
    row(
      "N3-18", 22, says: "didResumeAtOffset reports offset and total.",
      .confirmed, .reproduced,
      quote: "didResumeAtOffset:(int64_t)fileOffset e…", line: 244),
    row(
      "N3-19", 8, says: "Only didFinishDownloadingTo is required; the file is temporary.",
      .confirmed, .reproduced,
      quote: "只有 下载完成方法是必须的", line: 213),
    row(
      "N3-20", 5, says: "Progress arrives off main.",
      .confirmed, .reproduced,
      quote: "//主线程更新UI", line: 237),
    row(
      "N3-21", 4, 8, says: "Memory stays low while downloading (33.7 MB seen).",
      .confirmed, .reproduced,
      quote: "下载时,内存最高仅为33.7MB", line: 251),
    row(
      "N3-22", 27, says: "The session handles asynchrony better.",
      .confirmed, .reproduced,
      quote: "在异步处理上比NSURLConnection好很多", line: 6),
    row(
      "N3-23", 22, says: "(defect in the note) Resume data is used although the pause's handler has not run yet.",
      .defectShown, .reproduced,
      quote: "self.resumeData = resumeData", line: 184),
    row(
      "N3-24", 1, says: "(defect in the note) Data is parsed without looking at the error.",
      .defectShown, .independent,
      quote: "JSONObjectWithData:data options:0 error…", line: 24),
  ]
}
