// SPDX-License-Identifier: Apache-2.0
// Strangers on the port of a gRPC listener: bytes that are no frame never reach the handler, and
// the listener goes on.
#include <arpa/inet.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/slice.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/contract/channel_handlers.h"
#include "tests/status_matchers.h"
#include "transport/grpc_network.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

constexpr absl::Duration kLong = absl::Seconds(30);
constexpr int kPollMs = 30000;

// A plain TCP connection to 127.0.0.1.
class Socket {
 public:
  explicit Socket(uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to = {};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(fd_, reinterpret_cast<sockaddr*>(&to), sizeof(to)) == 0;
  }
  ~Socket() { ::close(fd_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  bool connected() const { return connected_; }
  void Send(const std::string& bytes) { ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
  // Cuts the connection with a reset instead of a farewell.
  void ResetOnClose() {
    const linger now = {1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
  }
  // False when the peer keeps the connection open for long.
  bool AwaitEndOfStream() {
    char bytes[4096];
    pollfd readable = {fd_, POLLIN, 0};
    while (::poll(&readable, 1, kPollMs) == 1) {
      if (::recv(fd_, bytes, sizeof(bytes), 0) <= 0) return true;
    }
    return false;
  }

 private:
  const int fd_;
  bool connected_ = false;
};

class GrpcStrangersTest : public ::testing::Test {
 protected:
  GrpcStrangersTest()
      : handler_([this](Frame request, Respond respond) {
          ++handled_;
          respond(std::move(request));
        }),
        network_(NewGrpcNetwork()),
        listener_(network_->Listen("127.0.0.1:0", &handler_).value()) {
    const std::string& address = listener_->address();
    uint32_t port = 0;
    EXPECT_TRUE(absl::SimpleAtoi(address.substr(address.rfind(':') + 1), &port));
    port_ = static_cast<uint16_t>(port);
  }

  // Only this request has reached the handler, and it was answered.
  void ExpectUnharmed() {
    auto channel = network_->Connect(listener_->address()).value();
    EXPECT_OK(CallAndWait(channel.get(), Frame(), kLong));
    EXPECT_EQ(handled_, 1);
  }

  // A gRPC call with `message` as it is; no message at all when null.
  grpc::Status CallRaw(const std::string& method, const std::string& message) {
    grpc::GenericStub stub(
        grpc::CreateChannel(listener_->address(), grpc::InsecureChannelCredentials()));
    grpc::CompletionQueue queue;
    grpc::ClientContext context;
    const grpc::Slice slice(message);
    const grpc::ByteBuffer request(&slice, 1);
    grpc::ByteBuffer reply;
    grpc::Status status;
    auto reader = stub.PrepareUnaryCall(&context, method, request, &queue);
    reader->StartCall();
    reader->Finish(&reply, &status, this);
    void* tag = nullptr;
    bool ok = false;
    EXPECT_TRUE(queue.Next(&tag, &ok));
    queue.Shutdown();
    return status;
  }

  std::atomic<int> handled_{0};
  FunctionHandler handler_;
  std::unique_ptr<Network> network_;
  std::unique_ptr<Listener> listener_;
  uint16_t port_ = 0;
};

TEST_F(GrpcStrangersTest, HttpGetIsTurnedAway) {
  Socket browser(port_);
  ASSERT_TRUE(browser.connected());
  browser.Send(absl::StrCat("GET / HTTP/1.1\r\nHost: ", listener_->address(), "\r\n\r\n"));
  EXPECT_TRUE(browser.AwaitEndOfStream());
  ExpectUnharmed();
}

TEST_F(GrpcStrangersTest, StrayBytesAreTurnedAway) {
  SplitMix64 random(1);
  for (const size_t bytes : {1000, 100000}) {
    std::string stray;
    while (stray.size() < bytes) stray.push_back(static_cast<char>(random.Next()));
    Socket stranger(port_);
    ASSERT_TRUE(stranger.connected());
    stranger.Send(stray);
    EXPECT_TRUE(stranger.AwaitEndOfStream());
  }
  ExpectUnharmed();
}

TEST_F(GrpcStrangersTest, StrayBytesAfterAGoodStartAreTurnedAway) {
  // The HTTP/2 preface and empty settings, then a frame that claims 16 MiB.
  const std::string preface("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x4\0\0\0\0\0", 33);
  Socket stranger(port_);
  ASSERT_TRUE(stranger.connected());
  stranger.Send(preface + std::string("\xff\xff\xff\0\0\0\0\0\1garbage", 16));
  EXPECT_TRUE(stranger.AwaitEndOfStream());
  ExpectUnharmed();
}

TEST_F(GrpcStrangersTest, PortScanIsSurvived) {
  for (int i = 0; i < 50; ++i) {
    Socket scanner(port_);
    ASSERT_TRUE(scanner.connected());
    if (i % 2 == 0) scanner.ResetOnClose();
    if (i % 3 == 0) scanner.Send("x");
  }
  ExpectUnharmed();
}

TEST_F(GrpcStrangersTest, SilentConnectionsHinderNobody) {
  std::vector<std::unique_ptr<Socket>> silent;
  for (int i = 0; i < 50; ++i) {
    silent.push_back(std::make_unique<Socket>(port_));
    ASSERT_TRUE(silent.back()->connected());
  }
  ExpectUnharmed();
}

TEST_F(GrpcStrangersTest, GarbageFramesAreRefusedBeforeTheHandler) {
  const std::string huge("SRF1\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 16);
  for (const std::string& message : {std::string(), std::string("x"), std::string(1000, 'x'),
                                     std::string("SRF1\1\0\0\0\0\0\0\0\0\0\0\0", 16), huge}) {
    const grpc::Status status = CallRaw("/seraph.v1.Frames/Call", message);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << status.error_message();
    EXPECT_THAT(status.error_message(), HasSubstr("frame"));
  }
  ExpectUnharmed();
}

TEST_F(GrpcStrangersTest, OtherMethodsAreUnimplemented) {
  const grpc::Status status = CallRaw("/other.Service/Method", "x");
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_THAT(status.error_message(), HasSubstr("/other.Service/Method"));
  ExpectUnharmed();
}

TEST_F(GrpcStrangersTest, ListenerShutsDownWithStrangersConnected) {
  Socket silent(port_);
  Socket browser(port_);
  browser.Send("GET / HTTP/1.1\r\n\r\n");
  listener_->Shutdown(absl::Seconds(1));
  EXPECT_TRUE(browser.AwaitEndOfStream());
}

// What listens there is no Seraph.
TEST(GrpcAddressTest, PeersThatDoNotSpeakTheProtocolAreErrorsThatNameThem) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in at = {};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&at), sizeof(at)), 0);
  ASSERT_EQ(::listen(fd, 5), 0);
  socklen_t size = sizeof(at);
  ASSERT_EQ(::getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size), 0);
  const std::string address = absl::StrCat("127.0.0.1:", ntohs(at.sin_port));
  auto network = NewGrpcNetwork();
  auto channel = network->Connect(address).value();
  const absl::Status status = CallAndWait(channel.get(), Frame(), absl::Milliseconds(300)).status();
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr(address)));
  ::close(fd);
}

TEST(GrpcAddressTest, WrongAddressesAreNamed) {
  auto network = NewGrpcNetwork();
  EchoHandler handler;
  EXPECT_THAT(network->Listen("127.0.0.1", &handler),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("127.0.0.1")));
  EXPECT_THAT(network->Listen("no-such-host.invalid:0", &handler),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("no-such-host.invalid:0")));
  EXPECT_THAT(network->Listen("192.0.2.1:0", &handler),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("192.0.2.1:0")));
  EXPECT_THAT(network->Connect("127.0.0.1:0"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("127.0.0.1:0")));
  auto channel = network->Connect("no-such-host.invalid:7700").value();
  EXPECT_THAT(CallAndWait(channel.get(), Frame(), kLong),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("no-such-host.invalid:7700")));
}

TEST(GrpcAddressTest, RefusedConnectionsSaySoInAWord) {
  auto network = NewGrpcNetwork();
  EchoHandler handler;
  const std::string address = network->Listen("127.0.0.1:0", &handler).value()->address();
  auto channel = network->Connect(address).value();
  EXPECT_THAT(
      CallAndWait(channel.get(), Frame(), kLong),
      StatusIs(absl::StatusCode::kUnavailable, absl::StrCat(address, ": connection refused")));
}

TEST(GrpcAddressTest, LocalhostWorksByName) {
  auto network = NewGrpcNetwork();
  EchoHandler handler;
  auto listener = network->Listen("localhost:0", &handler).value();
  EXPECT_THAT(listener->address(), ::testing::StartsWith("localhost:"));
  auto channel = network->Connect(listener->address()).value();
  EXPECT_OK(CallAndWait(channel.get(), Frame(), kLong));
}

}  // namespace
}  // namespace seraph
