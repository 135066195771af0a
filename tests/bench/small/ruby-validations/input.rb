require "json"
require "set"
require "date"

module Validations
  def self.included(base)
    base.extend(ClassMethods)
  end

  module ClassMethods
    def rules
      @rules ||= Hash.new { |hash, key| hash[key] = [] }
    end

    def validates(*fields, **options, &block)
      fields.each { |field| rules[field] << (block || options) }
    end
  end

  def errors
    self.class.rules.each_with_object([]) do |(field, rules), list|
      value = public_send(field)
      rules.each do |rule|
        case rule
        when Proc then list << field unless instance_exec(value, &rule)
        when Hash
          list << "#{field} is missing" if rule[:presence] && value.to_s.empty?
          list << "#{field} is no #{rule[:format].source}" if rule[:format] && value !~ rule[:format]
        end
      end
    end
  end
end

Address = Struct.new(:street, :city, keyword_init: true) do
  def to_s = "#{street}, #{city}"
end

class Customer
  include Validations
  include Comparable
  attr_accessor :name, :email, :address, :since

  validates :name, presence: true
  validates :email, format: /\A\S+@\S+\z/
  validates(:since) { |date| date <= Date.new(2030, 1, 1) }

  def initialize(**attributes)
    attributes.each { |key, value| send("#{key}=", value) }
    yield self if block_given?
  end

  def <=>(other) = name <=> other.name

  def method_missing(name, *args)
    if name.to_s.start_with?("with_")
      dup.tap { |copy| copy.send("#{name.to_s.delete_prefix('with_')}=", *args) }
    else
      super
    end
  end

  def respond_to_missing?(name, all = false) = name.to_s.start_with?("with_") || super
end

class Registry
  include Enumerable

  def initialize = @customers = SortedList.new
  def <<(customer)
    @customers.add(customer)
    self
  end
  def each(&block) = @customers.each(&block)

  class SortedList
    def initialize = @items = []
    def add(item) = @items.insert(@items.bsearch_index { |other| other >= item } || -1, item)
    def each(&block) = @items.each(&block)
  end
end

DATA_TEXT = '[{"name": "Ann", "email": "ann@example.org", "since": "2021-05-01"}, {"name": "Bob", "email": null}]'
registry = Registry.new
JSON.parse(DATA_TEXT, symbolize_names: true).each do |row|
  registry << Customer.new(**row) { |c| c.since &&= Date.parse(c.since) }
end
registry.lazy.map { |c| c.with_address(Address.new(street: "Main St", city: "X")) }.reject(&:nil?).each do |customer|
  puts "#{customer.name}: #{customer.address} #{customer.errors.join('; ')}"
end
