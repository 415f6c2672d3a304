// Reading and rewriting files, for multiplane.formats.
#include <optional>
#include <unordered_map>

#include "bindings/common.hpp"
#include "bindings/problems.hpp"
#include "text/conll.hpp"
#include "text/rewrite.hpp"

namespace multiplane {

namespace {

// The words' fields of one column, for the sentences from begin to end. Equal fields share one string: most columns
// have few different values, and making a string costs more than looking one up.
nb::typed<nb::list, nb::str> fields(const Index& index, const nb::bytes& bytes, std::size_t begin, std::size_t end,
                                    int column) {
  if (begin > end || end > index.size()) throw nb::index_error("no such sentences");
  const std::string_view text = view(bytes);
  const std::size_t words = index.first_word[end] - index.first_word[begin];
  nb::list values = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(words)));
  std::unordered_map<std::string_view, PyObject*> known;
  Py_ssize_t place = 0;
  for (std::size_t s = begin; s < end; ++s) {
    for (uint64_t w = index.first_word[s]; w < index.first_word[s + 1]; ++w) {
      const std::string_view value = field(line_at(text, index.start[s] + index.word[w]), column);
      PyObject*& string = known[value];
      if (string == nullptr) {
        string = PyUnicode_DecodeUTF8(value.data(), static_cast<Py_ssize_t>(value.size()), nullptr);
        if (string == nullptr) throw nb::python_error();
        PyList_SET_ITEM(values.ptr(), place++, string);  // the list owns it
      } else {
        PyList_SET_ITEM(values.ptr(), place++, Py_NewRef(string));
      }
    }
  }
  return values;
}

// A column, its values, what they are places in (none for heads), and whether only empty fields are filled.
using ColumnRow = std::tuple<int, Ints, std::optional<std::vector<std::string>>, bool>;

// The text with other fields in some columns.
nb::bytes rewrite(const nb::bytes& bytes, const Index& index, const std::vector<ColumnRow>& rows) {
  std::vector<NewColumn> columns;
  for (const auto& [column, values, names, only_empty] : rows) {
    demand(values.size() == index.heads.size(), "one value for each word");
    if (names) {
      for (std::size_t w = 0; w < values.size(); ++w)
        demand(values(w) >= 0 && values(w) < static_cast<int32_t>(names->size()), "no such text");
    }
    columns.push_back({column, values.data(), names ? &*names : nullptr, only_empty});
  }
  const std::string_view text = view(bytes);
  std::string out;
  {
    nb::gil_scoped_release release;
    out = rewritten(text, index, std::move(columns));
  }
  return nb::bytes(out.data(), out.size());
}

}  // namespace

void bind_formats(nb::module_& m) {
  nb::class_<Index>(m, "Index")
      .def("__len__", &Index::size)
      .def_prop_ro("start", [](nb::handle self) { return look(nb::cast<Index&>(self).start, self); })
      .def_prop_ro("end", [](nb::handle self) { return look(nb::cast<Index&>(self).end, self); })
      .def_prop_ro("line", [](nb::handle self) { return look(nb::cast<Index&>(self).line, self); })
      .def_prop_ro("ordinal", [](nb::handle self) { return look(nb::cast<Index&>(self).ordinal, self); })
      .def_prop_ro("first_word", [](nb::handle self) { return look(nb::cast<Index&>(self).first_word, self); })
      .def_prop_ro("word", [](nb::handle self) { return look(nb::cast<Index&>(self).word, self); })
      .def_prop_ro("heads", [](nb::handle self) { return look(nb::cast<Index&>(self).heads, self); })
      .def_ro("lines", &Index::lines)
      .def_ro("sentences", &Index::sentences)
      .def_prop_ro("problems", [](const Index& index) { return rows(index.problems); })
      .def("fields", &fields, "text"_a, "begin"_a, "end"_a, "column"_a)
      .def(
          "sent_id",
          [](const Index& index, const nb::bytes& text, std::size_t s) {
            const std::string_view id =
                sent_id(view(text).substr(index.start.at(s), index.end.at(s) - index.start.at(s)), index.bare_ids);
            return nb::str(id.data(), id.size());
          },
          "text"_a, "sentence"_a);

  m.def(
      "read",
      [](const nb::bytes& text, int columns, bool more_columns, int head, bool ranges, bool bare_ids,
         uint64_t lines_before, uint64_t sentences_before) {
        const std::string_view seen = view(text);
        nb::gil_scoped_release release;
        return Reader(seen, Dialect{columns, more_columns, head, ranges, bare_ids}, lines_before, sentences_before)
            .read();
      },
      "text"_a, "columns"_a, "more_columns"_a, "head"_a, "ranges"_a, "bare_ids"_a, "lines_before"_a,
      "sentences_before"_a);

  m.def("rewrite", &rewrite, "text"_a, "index"_a, "columns"_a);
}

}  // namespace multiplane
