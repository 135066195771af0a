class Config
  RATE = 3.25
  NAME = "x"
  def self.rate = RATE
end
class Shop
  FACTOR = -1
  attr_reader :total
  def initialize
    @total = 0
  end
  def add(v)
    @total += v * FACTOR
    self
  end
  def show
    puts "got #{total}"
  end
end
Shop.new.add(Config.rate).show
