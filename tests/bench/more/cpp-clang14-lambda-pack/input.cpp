// Validation of the fields of a form: rules are small functions, which can be joined, negated and named, and a form
// applies one rule to each of its fields.
#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace form {

/// A text that the form does not own.
class text {
 public:
  constexpr text() = default;
  template <std::size_t N>
  constexpr text(const char (&letters)[N]) : first_(letters), size_(N - 1) {}
  constexpr text(const char* first, std::size_t size) : first_(first), size_(size) {}

  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const char* begin() const { return first_; }
  constexpr const char* end() const { return first_ + size_; }
  constexpr char operator[](std::size_t index) const { return first_[index]; }

  constexpr text from(std::size_t start) const {
    return start >= size_ ? text() : text(first_ + start, size_ - start);
  }

  friend constexpr bool operator==(text left, text right) {
    if (left.size_ != right.size_) return false;
    for (std::size_t i = 0; i < left.size_; ++i)
      if (left.first_[i] != right.first_[i]) return false;
    return true;
  }

 private:
  const char* first_ = "";
  std::size_t size_ = 0;
};

enum class severity : unsigned char { none, hint, warning, error };

struct verdict {
  severity level = severity::none;
  text reason = {};

  constexpr explicit operator bool() const { return level < severity::error; }
  constexpr verdict operator&(const verdict& other) const { return other.level > level ? other : *this; }
};

template <class R>
concept rule = requires(const R& r, text t) {
  { r(t) } -> std::convertible_to<verdict>;
};

template <class P>
concept predicate_on_char = std::predicate<P, char>;

namespace detail {

constexpr bool is_digit(char c) { return '0' <= c && c <= '9'; }
constexpr bool is_letter(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); }

template <class... Ts>
struct overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
overloaded(Ts...) -> overloaded<Ts...>;

template <class... Verdicts>
constexpr verdict worst(Verdicts... verdicts) {
  return (verdict{} & ... & verdicts);
}

}  // namespace detail

template <predicate_on_char P>
constexpr auto all_of(P holds, text reason) {
  return [=](text value) -> verdict {
    for (char c : value)
      if (!holds(c)) return {severity::error, reason};
    return {};
  };
}

constexpr auto at_most(std::size_t limit, severity level = severity::error) {
  return [=](text value) -> verdict {
    if (value.size() <= limit) return {};
    return {level, "too long"};
  };
}

inline constexpr auto filled = [](text value) -> verdict {
  return value.empty() ? verdict{severity::error, "missing"} : verdict{};
};

inline constexpr auto digits = all_of(detail::is_digit, "digits only");
inline constexpr auto letters = all_of(detail::is_letter, "letters only");

template <rule Left, rule Right>
constexpr auto operator&&(Left left, Right right) {
  return [=](text value) -> verdict {
    const verdict first = left(value);
    return first ? first & right(value) : first;
  };
}

template <rule R>
constexpr auto optional(R inner) {
  return [inner = std::move(inner)](text value) -> verdict { return value.empty() ? verdict{} : inner(value); };
}

template <rule R>
struct field {
  text name;
  R check;
  bool shown = true;

  constexpr verdict operator()(text value) const {
    if (!shown) return {};
    return check(value);
  }
};
template <class R>
field(text, R) -> field<R>;

/// Calls each of the functions; the arguments are evaluated when a verdict is needed.
template <class... Checks>
constexpr verdict evaluate(Checks&&... checks) {
  verdict result{};
  ((result = result & checks(), bool(result)) && ...);
  return result;
}

/// A form of these fields; its call takes one value for each of them.
template <class... Fields>
constexpr auto make_form(Fields... fields) {
  return [fields...]<class... Values>(Values... values) {
    static_assert(sizeof...(Values) == sizeof...(Fields), "one value for each field");
    return evaluate([fields, values] { return fields(text(values)); }...);
  };
}

template <std::size_t N>
class report {
 public:
  constexpr void add(text name, verdict found) {
    if (found.level == severity::none || count_ == N) return;
    lines_[count_++] = {name, found};
  }
  constexpr std::size_t count() const { return count_; }
  constexpr severity worst() const {
    severity level = severity::none;
    for (std::size_t i = 0; i < count_; ++i)
      if (lines_[i].found.level > level) level = lines_[i].found.level;
    return level;
  }

 private:
  struct line {
    text name;
    verdict found;
  };
  std::array<line, N> lines_{};
  std::size_t count_ = 0;
};

}  // namespace form

namespace shop {

using namespace form;

struct address {
  text street, number, city, code;
};

constexpr auto house_number = [](text value) -> verdict {
  if (value.empty() || !form::detail::is_digit(value[0])) return {severity::error, "starts with a digit"};
  return at_most(5)(value);
};

constexpr field street{"street", filled && at_most(60)};
constexpr field number{"number", house_number};
constexpr field city{"city", filled && letters && at_most(40, severity::warning)};
constexpr field code{"code", optional(digits && at_most(5))};

const auto address_form = make_form(street, number, city, code);

verdict check(const address& given) {
  return address_form(given.street, given.number, given.city, given.code);
}

std::size_t check_all(const std::array<address, 3>& given) {
  report<8> found;
  for (const address& one : given) {
    found.add(one.street, check(one));
    auto print = form::detail::overloaded{
        [&](text t) { return t.size(); },
        [&](const address& a) { return a.city.size() + a.code.size(); },
    };
    if (print(one) == 0 && print(one.street) == 0) found.add("address", {severity::hint, "empty"});
  }
  return found.worst() == severity::error ? found.count() : 0;
}

}  // namespace shop

int main() {
  const std::array<shop::address, 3> given{{
      {"Hauptstrasse", "12a", "Ulm", "89073"},
      {"Am Markt", "x", "Jena", ""},
      {"Ring", "7", "Kiel", "2410"},
  }};
  return static_cast<int>(shop::check_all(given));
}
