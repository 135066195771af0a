#include <cstddef>
#include <vector>
#include <string>

#define CAPABILITY(x) __attribute__((capability(x)))
#define GUARDED_BY(x) __attribute__((guarded_by(x)))
#define ACQUIRE(...) __attribute__((acquire_capability(__VA_ARGS__)))
#define RELEASE(...) __attribute__((release_capability(__VA_ARGS__)))
#define REQUIRES(...) __attribute__((requires_capability(__VA_ARGS__)))
#define SCOPED_CAPABILITY __attribute__((scoped_lockable))

class CAPABILITY("mutex") Mutex {
public:
  void lock() ACQUIRE();
  void unlock() RELEASE();
};

class SCOPED_CAPABILITY Lock {
public:
  explicit Lock(Mutex *m) ACQUIRE(m) : m_(m) { m_->lock(); }
  ~Lock() RELEASE() { m_->unlock(); }
private:
  Mutex *m_;
};

class Account {
public:
  explicit Account(std::string owner) : owner_(owner), balance_(0) {}
  void deposit(int amount) {
    Lock guard(&mutex_);
    balance_ += amount;
    history_.push_back(amount);
  }
  void withdraw(int amount) {
    balance_ -= amount;
  }
  int balance() REQUIRES(mutex_) { return balance_; }
private:
  Mutex mutex_;
  std::string owner_;
  int balance_ GUARDED_BY(mutex_);
  std::vector<int> history_;
};

int main() {
  Account account("Ada");
  account.deposit(10);
  account.withdraw(5);
  return 0;
}
