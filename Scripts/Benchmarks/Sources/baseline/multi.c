// SPDX-License-Identifier: Apache-2.0
// The jobs of many transfers: the multi interface over epoll, as its documentation's hiperfifo example teaches it.
// curl_multi_perform would visit every handle at each wake-up.
#include "baseline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

struct loop {
  CURLM *multi;
  int epoll;
  long deadline;  // the millisecond at which libcurl wants to be called, -1 for never
  int running;
};

static int watch_socket(CURL *easy, curl_socket_t socket, int what, void *context, void *assigned) {
  (void)easy;
  struct loop *loop = context;
  struct epoll_event event = {0, {.fd = socket}};
  if (what == CURL_POLL_REMOVE) {
    epoll_ctl(loop->epoll, EPOLL_CTL_DEL, socket, &event);
    return 0;
  }
  if (what & CURL_POLL_IN)
    event.events |= EPOLLIN;
  if (what & CURL_POLL_OUT)
    event.events |= EPOLLOUT;
  epoll_ctl(loop->epoll, assigned ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
  if (!assigned)
    curl_multi_assign(loop->multi, socket, loop);
  return 0;
}

static long now_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int set_timeout(CURLM *multi, long timeout, void *context) {
  (void)multi;
  ((struct loop *)context)->deadline = timeout > 0 ? now_milliseconds() + timeout : timeout;
  return 0;
}

static struct loop *make_loop(void) {
  struct loop *loop = calloc(1, sizeof *loop);
  loop->multi = curl_multi_init();
  loop->epoll = epoll_create1(EPOLL_CLOEXEC);
  loop->deadline = -1;
  curl_multi_setopt(loop->multi, CURLMOPT_SOCKETFUNCTION, watch_socket);
  curl_multi_setopt(loop->multi, CURLMOPT_SOCKETDATA, loop);
  curl_multi_setopt(loop->multi, CURLMOPT_TIMERFUNCTION, set_timeout);
  curl_multi_setopt(loop->multi, CURLMOPT_TIMERDATA, loop);
  return loop;
}

static void free_loop(struct loop *loop) {
  curl_multi_cleanup(loop->multi);
  close(loop->epoll);
  free(loop);
}

/// Waits for sockets or the timer, and lets libcurl do what is due.
static void turn(struct loop *loop) {
  struct epoll_event events[256];
  long timeout = loop->deadline > 0 ? loop->deadline - now_milliseconds() : loop->deadline;
  int count = epoll_wait(loop->epoll, events, 256, loop->deadline > 0 && timeout < 0 ? 0 : (int)timeout);
  for (int index = 0; index < count; index++) {
    int ready = 0;
    if (events[index].events & (EPOLLIN | EPOLLHUP))
      ready |= CURL_CSELECT_IN;
    if (events[index].events & EPOLLOUT)
      ready |= CURL_CSELECT_OUT;
    if (events[index].events & EPOLLERR)
      ready |= CURL_CSELECT_ERR;
    curl_multi_socket_action(loop->multi, events[index].data.fd, ready, &loop->running);
  }
  if (loop->deadline == 0 || (loop->deadline > 0 && loop->deadline <= now_milliseconds())) {
    loop->deadline = -1;
    curl_multi_socket_action(loop->multi, CURL_SOCKET_TIMEOUT, 0, &loop->running);
  }
}

/// The next transfer that ended, or NULL; a failed one ends the program.
static CURL *next_done(struct loop *loop) {
  int left;
  CURLMsg *message;
  while ((message = curl_multi_info_read(loop->multi, &left)))
    if (message->msg == CURLMSG_DONE) {
      check(message->data.result, "transfer");
      curl_multi_remove_handle(loop->multi, message->easy_handle);
      return message->easy_handle;
    }
  return NULL;
}

/// A body kept in memory, as a program does that wants its small answers whole.
struct body {
  size_t count;
  char bytes[4096];
};

static size_t keep_bytes(char *bytes, size_t size, size_t count, void *context) {
  struct body *body = context;
  if (size * count > sizeof body->bytes - body->count)
    return 0;
  memcpy(body->bytes + body->count, bytes, size * count);
  body->count += size * count;
  return size * count;
}

struct outcome small(const char *url, long count, int at_once) {
  struct outcome outcome = {0, 0};
  struct loop *loop = make_loop();
  struct body *bodies = calloc((size_t)at_once, sizeof *bodies);
  long started = 0;
  for (int index = 0; index < at_once && started < count; index++, started++) {
    CURL *easy = make_handle(url);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, keep_bytes);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &bodies[index]);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, &bodies[index]);
    // Over HTTP/2 all go over one connection.
    curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
    curl_multi_add_handle(loop->multi, easy);
  }
  while (outcome.transfers < count) {
    turn(loop);
    for (CURL *easy; (easy = next_done(loop));) {
      struct body *body = NULL;
      curl_easy_getinfo(easy, CURLINFO_PRIVATE, &body);
      outcome.transfers++;
      outcome.bytes += (curl_off_t)body->count;
      body->count = 0;
      if (started < count) {
        started++;
        curl_multi_add_handle(loop->multi, easy);
      } else {
        curl_easy_cleanup(easy);
      }
    }
  }
  free(bodies);
  free_loop(loop);
  return outcome;
}

struct outcome parallel(const char *url, int count) {
  struct outcome outcome = {0, 0};
  struct loop *loop = make_loop();
  for (int index = 0; index < count; index++) {
    CURL *easy = make_handle(url);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, count_bytes);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &outcome.bytes);
    curl_multi_add_handle(loop->multi, easy);
  }
  while (outcome.transfers < count) {
    turn(loop);
    for (CURL *easy; (easy = next_done(loop));) {
      outcome.transfers++;
      curl_easy_cleanup(easy);
    }
  }
  free_loop(loop);
  return outcome;
}
