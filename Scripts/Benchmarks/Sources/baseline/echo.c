// SPDX-License-Identifier: Apache-2.0
// Small WebSocket messages (RFC 6455) over a blocking socket, as a program without a library would do it.
#include "baseline.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Noreturn void fail(const char *what) {
  perror(what);
  exit(1);
}

static void send_all(int socket, const void *bytes, size_t count) {
  if (send(socket, bytes, count, MSG_NOSIGNAL) != (ssize_t)count)
    fail("send");
}

static void read_exactly(int socket, unsigned char *bytes, size_t count) {
  if (recv(socket, bytes, count, MSG_WAITALL) != (ssize_t)count)
    fail("recv");
}

/// Connects to "http://127.0.0.1:PORT/PATH" and reads the switch of protocols to its blank line.
static int open_socket(const char *url) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int port = 0, yes = 1;
  char path[256] = "", request[1024];
  if (sscanf(url, "http://127.0.0.1:%d%255s", &port, path) != 2)
    fail(url);
  address.sin_port = htons((unsigned short)port);
  int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (client < 0 || connect(client, (struct sockaddr *)&address, sizeof address) != 0)
    fail("connect");
  setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  int length = snprintf(request, sizeof request,
                        "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==\r\n\r\n",
                        path, port);
  send_all(client, request, (size_t)length);
  for (unsigned char last[4] = {0}; memcmp(last, "\r\n\r\n", 4) != 0;) {
    memmove(last, last + 1, 3);
    read_exactly(client, last + 3, 1);
  }
  return client;
}

struct outcome echo(const char *url, long count) {
  struct outcome outcome = {0, 0};
  int client = open_socket(url);
  // A final binary frame of 16 bytes, masked with zeros; the answer is the same without a mask.
  unsigned char frame[22] = {0x82, 0x80 | 16}, answer[18];
  memset(frame + 6, 7, 16);
  while (outcome.transfers < count) {
    send_all(client, frame, sizeof frame);
    read_exactly(client, answer, sizeof answer);
    outcome.transfers++;
    outcome.bytes += answer[1];
  }
  close(client);
  return outcome;
}
