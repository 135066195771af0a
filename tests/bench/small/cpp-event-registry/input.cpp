#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>
#include <functional>
#include <stdexcept>

namespace events {

struct Event {
    std::string name;
    int value = 0;
};

template <typename T>
class Registry {
public:
    using Handler = std::function<void(const T &)>;

    Registry &on(const std::string &name, Handler handler) {
        handlers_[name].push_back(std::move(handler));
        return *this;
    }

    std::size_t emit(const T &event) const {
        const auto &list = handlers_.at(event.name);
        for (const auto &handler : list)
            handler(event);
        return list.size();
    }

private:
    std::map<std::string, std::vector<Handler>> handlers_;
};

class Counter {
public:
    explicit Counter(int start = 0) : total_(start) {}
    virtual ~Counter() = default;
    virtual void add(int n) { total_ += n; }
    int total() const { return total_; }

protected:
    int total_;
};

class Limited final : public Counter {
public:
    Limited(int start, int limit) : Counter(start), limit_(limit) {}
    void add(int n) override { total_ = std::min(total_ + n, limit_); }

private:
    int limit_;
};

} // namespace events

int main() {
    using namespace events;
    auto counter = std::make_unique<Limited>(1, 10);
    Registry<Event> registry;
    registry.on("add", [&](const Event &event) { counter->add(event.value); })
            .on("show", [&](const Event &) { std::cout << counter->total() << '\n'; });
    std::vector<Event> queue{{"add", 4}, {"show"}, {"reset", 1}};
    for (const auto &event : queue)
        registry.emit(event);
    return 0;
}
