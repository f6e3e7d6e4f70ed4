// Stand-in for src/support/base64.h, which is not in the wheel: base64 (RFC 4648) over tvm::support::Stream.
#pragma once
#include <tvm/support/io.h>

#include <cstdint>

namespace tvm {
namespace support {

class Base64OutStream : public Stream {
 public:
  using Stream::Read;
  using Stream::Write;

  explicit Base64OutStream(Stream* out) : out_(out) {}

  size_t Write(const void* data, size_t size) override {
    const uint8_t* bytes = static_cast<const uint8_t*>(data);
    for (size_t i = 0; i < size; ++i) {
      buffer_[length_++] = bytes[i];
      if (length_ == 3) Flush();
    }
    return size;
  }

  size_t Read(void*, size_t) override { return 0; }

  void Finish() {
    if (length_ > 0) Flush();
  }

 private:
  void Flush() {
    static const char* kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0;
    for (int i = 0; i < 3; ++i) bits = (bits << 8) | (i < length_ ? buffer_[i] : 0);
    char text[4];
    for (int i = 0; i < 4; ++i) text[i] = i <= length_ ? kAlphabet[(bits >> (18 - 6 * i)) & 63] : '=';
    out_->Write(text, 4);
    length_ = 0;
  }

  Stream* out_;
  uint8_t buffer_[3];
  int length_ = 0;
};

class Base64InStream : public Stream {
 public:
  using Stream::Read;
  using Stream::Write;

  explicit Base64InStream(Stream* in) : in_(in) {}

  void InitPosition() {}

  size_t Read(void* data, size_t size) override {
    uint8_t* bytes = static_cast<uint8_t*>(data);
    for (size_t i = 0; i < size; ++i) {
      if (position_ == length_ && !Fill()) return i;
      bytes[i] = buffer_[position_++];
    }
    return size;
  }

  size_t Write(const void*, size_t) override { return 0; }

 private:
  static int Value(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+') return 62;
    return c == '/' ? 63 : -1;
  }

  // Decodes the next three bytes. Characters outside the alphabet, such as line breaks, are skipped.
  bool Fill() {
    uint32_t bits = 0;
    int count = 0;
    char c;
    while (count < 4 && in_->Read(&c, 1) == 1 && c != '=') {
      int value = Value(c);
      if (value < 0) continue;
      bits = (bits << 6) | value;
      ++count;
    }
    if (count < 2) return false;
    bits <<= 6 * (4 - count);
    length_ = count - 1;
    position_ = 0;
    for (int i = 0; i < 3; ++i) buffer_[i] = (bits >> (16 - 8 * i)) & 255;
    return true;
  }

  Stream* in_;
  uint8_t buffer_[3];
  int position_ = 0;
  int length_ = 0;
};

}  // namespace support
}  // namespace tvm
