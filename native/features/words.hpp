// Words as a feature model sees them: a number for every attribute of every word, read once from the text.
//
// The number is a hash of the field, so that no vocabulary is needed to read a file or to load a model.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "common/hash.hpp"
#include "text/conll.hpp"
#include "text/unicode.hpp"

namespace multiplane {

enum class AttributeKind : uint8_t { kWhole, kLower, kPrefix, kSuffix, kShape, kFeature, kTag };

struct Attribute {
  AttributeKind kind;
  int column;  // in the file, from 0; -1 where its format has no such column
  std::string argument;
  std::size_t count = 0;      // of characters, for prefixes and suffixes
  int upos = -1, feats = -1;  // columns, for tags
};

// Reads the values of a sentence's words. Row 0 stands for no node, row 1 for the artificial root, row v + 1 for word
// v.
class WordReader {
 public:
  explicit WordReader(std::vector<Attribute> attributes) : attributes_(std::move(attributes)) {
    for (const Attribute& a : attributes_) last_ = std::max({last_, a.column, a.upos, a.feats});
    fields_.resize(last_ + 1);
  }

  std::size_t width() const { return attributes_.size(); }

  static constexpr Value kNone = 0x13198A2E03707344u, kRoot = 0xA4093822299F31D0u, kAbsent = 0x082EFA98EC4E6C89u;

  void read(std::string_view text, const Index& index, std::size_t sentence, std::vector<Value>& rows) {
    const std::size_t width = attributes_.size();
    const uint64_t first = index.first_word[sentence], last = index.first_word[sentence + 1];
    rows.resize((last - first + 2) * width);
    for (std::size_t a = 0; a < width; ++a) rows[a] = kNone, rows[width + a] = kRoot;
    Value* row = rows.data() + 2 * width;
    for (uint64_t w = first; w < last; ++w, row += width) {
      split(text.data() + index.start[sentence] + index.word[w], text.data() + text.size());
      for (std::size_t a = 0; a < width; ++a) row[a] = value(attributes_[a]);
    }
  }

 private:
  void split(const char* at, const char* end) {
    for (int column = 0; column <= last_; ++column) {
      const char* begin = at;
      while (at < end && *at != '\t' && *at != '\n') ++at;
      fields_[column] = {begin, static_cast<std::size_t>(at - begin)};
      if (!fields_[column].empty() && fields_[column].back() == '\r' && (at == end || *at == '\n'))
        fields_[column].remove_suffix(1);
      if (at < end && *at == '\t') ++at;
    }
  }

  Value value(const Attribute& a) {
    if (a.kind == AttributeKind::kTag) return tag(a);
    if (a.column < 0) return kAbsent;
    const std::string_view field = fields_[a.column];
    switch (a.kind) {
      case AttributeKind::kWhole:
        return hash_of(field);
      case AttributeKind::kLower:
        changed_.clear();
        for (std::size_t i = 0, size; i < field.size(); i += size) {
          size = std::min(character_size(field[i]), field.size() - i);
          encode(to_lower(decode(field.data() + i, size)), changed_);
        }
        return hash_of(changed_);
      case AttributeKind::kPrefix: {
        std::size_t i = 0;
        for (std::size_t k = 0; k < a.count && i < field.size(); ++k) i += character_size(field[i]);
        return hash_of(field.substr(0, i));
      }
      case AttributeKind::kSuffix: {
        std::size_t i = field.size();
        for (std::size_t k = 0; k < a.count && i > 0; ++k) {
          do --i;
          while (i > 0 && (static_cast<unsigned char>(field[i]) & 0xC0) == 0x80);
        }
        return hash_of(field.substr(i));
      }
      case AttributeKind::kShape:
        return hash_of(shape(field));
      case AttributeKind::kFeature:
        return feature(field, a.argument);
      case AttributeKind::kTag:
        break;
    }
    return kAbsent;
  }

  // The finest tag: XPOS, or UPOS with FEATS where XPOS is missing or repeats UPOS.
  Value tag(const Attribute& a) const {
    const std::string_view upos = a.upos < 0 ? "_" : fields_[a.upos], feats = a.feats < 0 ? "_" : fields_[a.feats];
    const std::string_view xpos = a.column < 0 ? "_" : fields_[a.column];
    return xpos == "_" || xpos == upos ? mix(hash_of(upos), hash_of(feats)) : hash_of(xpos);
  }

  // Kinds of characters, three of a kind in a row at the most: "McDonald's" is XxXxxx'x.
  std::string_view shape(std::string_view field) {
    changed_.clear();
    uint32_t previous = 0;
    int run = 0;
    for (std::size_t i = 0, size; i < field.size(); i += size) {
      size = std::min(character_size(field[i]), field.size() - i);
      const uint32_t c = decode(field.data() + i, size);
      const uint32_t kind = c >= '0' && c <= '9' ? 'd' : to_lower(c) != c ? 'X' : c >= 'a' || c >= 0x80 ? 'x' : c;
      run = kind == previous ? run + 1 : 1;
      previous = kind;
      if (run <= 3) encode(kind, changed_);
    }
    return changed_;
  }

  // The value of one attribute in "Case=Nom|Number=Sing".
  static Value feature(std::string_view field, std::string_view name) {
    for (std::size_t i = 0; i < field.size();) {
      std::size_t end = field.find('|', i);
      if (end == std::string_view::npos) end = field.size();
      const std::string_view pair = field.substr(i, end - i);
      if (pair.size() > name.size() && pair[name.size()] == '=' && pair.substr(0, name.size()) == name)
        return hash_of(pair.substr(name.size() + 1));
      i = end + 1;
    }
    return kAbsent;
  }

  std::vector<Attribute> attributes_;
  int last_ = -1;
  std::vector<std::string_view> fields_;
  std::string changed_;
};

}  // namespace multiplane
