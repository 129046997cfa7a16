// SPDX-License-Identifier: Apache-2.0
// bodyserver [CERTIFICATE-FILE]: serves bodies on a port of 127.0.0.1 that the system chooses, until it is ended; with a
// file over TLS.
//
// It makes its key and certificate at the start and writes the certificate to the file, for the clients to trust. The
// last number in a request's target is the body's size in bytes: /body?size=1024. One thread a connection, kept alive but
// for targets that begin with /close. What lies below /brotli is text in that coding (RFC 7932), if the size is 256 MiB.
#include <arpa/inet.h>
#include <brotli/encode.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static SSL_CTX *context;
static char piece[16384];

static _Noreturn void fail(const char *what) {
  fprintf(stderr, "bodyserver: %s failed\n", what);
  ERR_print_errors_fp(stderr);
  exit(1);
}

static void add_extension(X509 *certificate, int identifier, const char *value) {
  X509V3_CTX extension_context;
  X509V3_set_ctx(&extension_context, certificate, certificate, NULL, NULL, 0);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &extension_context, identifier, value);
  if (!extension || !X509_add_ext(certificate, extension, -1))
    fail("a certificate extension");
  X509_EXTENSION_free(extension);
}

/// A certificate for 127.0.0.1 that vouches for itself.
static void make_certificate(const char *path) {
  EVP_PKEY *key = EVP_EC_gen("P-256");
  X509 *certificate = X509_new();
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 24 * 3600);
  X509_set_pubkey(certificate, key);
  X509_NAME *name = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"Workbench benchmarks", -1, -1, 0);
  X509_set_issuer_name(certificate, name);
  add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE");
  add_extension(certificate, NID_subject_alt_name, "IP:127.0.0.1");
  if (!X509_sign(certificate, key, EVP_sha256()))
    fail("signing");
  FILE *file = fopen(path, "w");
  if (!file || !PEM_write_X509(file, certificate) || fclose(file) != 0)
    fail(path);
  context = SSL_CTX_new(TLS_server_method());
  if (!context || !SSL_CTX_use_certificate(context, certificate) || !SSL_CTX_use_PrivateKey(context, key))
    fail("the TLS context");
  X509_free(certificate);
  EVP_PKEY_free(key);
}

/// A client; `tls` is NULL without TLS.
struct client {
  int socket;
  SSL *tls;
};

static int receive(struct client *client, void *bytes, int room) {
  return client->tls ? SSL_read(client->tls, bytes, room) : (int)recv(client->socket, bytes, (size_t)room, 0);
}

/// 0 when the client has gone.
static int send_all(struct client *client, const char *bytes, size_t left) {
  for (long sent; left > 0; bytes += sent, left -= (size_t)sent) {
    sent = client->tls ? SSL_write(client->tls, bytes, (int)left) : send(client->socket, bytes, left, 0);
    if (sent <= 0)
      return 0;
  }
  return 1;
}

/// Reads up to the blank line that ends a request; 0 when the client has gone.
static int read_request(struct client *client, char *request, int room) {
  int count = 0;
  while (count < room - 1) {
    int got = receive(client, request + count, room - 1 - count);
    if (got <= 0)
      return 0;
    count += got;
    request[count] = 0;
    if (strstr(request, "\r\n\r\n"))
      return 1;
  }
  return 0;
}

/// Text like a log's, 8 MiB: more than the coding's window, so that no repetition is found in the one before.
static char *make_text(size_t size) {
  static const char *words[] = {"request", "answer", "of", "the", "server", "client", "was", "sent", "again", "after"};
  char *text = malloc(size + 64);
  unsigned random = 1;
  for (size_t length = 0; text && length < size;) {
    random = random * 1664525u + 1013904223u;
    length += (size_t)sprintf(text + length, random >> 29 ? "%s " : "%s %u\n", words[(random >> 16) % 10], random >> 20);
  }
  return text;
}

static uint8_t *coded;
static size_t coded_count;

/// Codes 256 MiB of text; at most as many bytes come of it.
static void make_coded(void) {
  const size_t size = 8 << 20;
  char *text = make_text(size);
  BrotliEncoderState *encoder = BrotliEncoderCreateInstance(NULL, NULL, NULL);
  size_t room = 256 << 20;
  uint8_t *next_coded = coded = malloc(room);
  if (!text || !encoder || !coded)
    fail("memory");
  BrotliEncoderSetParameter(encoder, BROTLI_PARAM_QUALITY, 3);
  BrotliEncoderSetParameter(encoder, BROTLI_PARAM_LGWIN, 22);
  for (int piece = 1; piece <= 32; piece++) {
    const uint8_t *next = (const uint8_t *)text;
    size_t left = size;
    BrotliEncoderOperation operation = piece == 32 ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_PROCESS;
    do {
      BrotliEncoderCompressStream(encoder, operation, &left, &next, &room, &next_coded, &coded_count);
    } while (left > 0 || BrotliEncoderHasMoreOutput(encoder));
  }
  BrotliEncoderDestroyInstance(encoder);
  free(text);
}

/// Sends 256 MiB of text, coded once.
static int answer_brotli(struct client *client) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_coded);
  char head[128];
  int length = snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: %zu\r\n\r\n",
                        coded_count);
  return send_all(client, head, (size_t)length) && send_all(client, (char *)coded, coded_count);
}

/// 0 when this was the connection's last answer.
static int answer(struct client *client, const char *request) {
  if (strncmp(request, "GET /brotli", 11) == 0)
    return answer_brotli(client);
  int closes = strncmp(request, "GET /close", 10) == 0;
  const char *size = strstr(request, "size=");
  long long left = size ? atoll(size + 5) : 0;
  // The head and the first bytes go out as one.
  char first[sizeof piece + 128];
  int length = snprintf(first, 128, "HTTP/1.1 200 OK\r\nContent-Length: %lld\r\n%s\r\n", left,
                        closes ? "Connection: close\r\n" : "");
  size_t count = left < (long long)sizeof piece ? (size_t)left : sizeof piece;
  memcpy(first + length, piece, count);
  if (!send_all(client, first, (size_t)length + count))
    return 0;
  for (left -= (long long)count; left > 0; left -= (long long)count) {
    count = left < (long long)sizeof piece ? (size_t)left : sizeof piece;
    if (!send_all(client, piece, count))
      return 0;
  }
  return !closes;
}

static void *serve(void *argument) {
  struct client client = {.socket = (int)(long)argument};
  char request[8192];
  if (context) {
    client.tls = SSL_new(context);
    SSL_set_fd(client.tls, client.socket);
  }
  if (!client.tls || SSL_accept(client.tls) == 1)
    while (read_request(&client, request, sizeof request) && answer(&client, request))
      continue;
  if (client.tls) {
    SSL_shutdown(client.tls);
    SSL_free(client.tls);
  }
  // A close with unread bytes would reset what was just sent.
  shutdown(client.socket, SHUT_WR);
  while (recv(client.socket, request, sizeof request, 0) > 0)
    continue;
  close(client.socket);
  return NULL;
}

int main(int count, char **arguments) {
  if (count > 2) {
    fputs("usage: bodyserver [CERTIFICATE-FILE]\n", stderr);
    return 64;
  }
  signal(SIGPIPE, SIG_IGN);
  if (count == 2)
    make_certificate(arguments[1]);
  for (size_t index = 0; index < sizeof piece; index++)
    piece[index] = (char)(index * 2654435761u >> 13);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 128) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &length) != 0)
    fail("listening");
  printf("listening on http%s://127.0.0.1:%d\n", context ? "s" : "", ntohs(address.sin_port));
  fflush(stdout);
  for (;;) {
    pthread_t thread;
    int socket = accept(listener, NULL, NULL);
    if (socket >= 0 && pthread_create(&thread, NULL, serve, (void *)(long)socket) == 0)
      pthread_detach(thread);
  }
}
